use interpolate::scalar::Dialect;
use interpolate::source::Sources;
use interpolate::yaml::{self, Expansion, Options};
use std::io::Write;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let mut format = "yaml";
    let mut file = "";
    let mut all = false;
    let mut strict = false;
    let mut times = 1;
    let mut it = a.iter();
    while let Some(x) = it.next() {
        match x.as_str() {
            "--format" => format = it.next().unwrap(),
            "--all-documents" => all = true,
            "--strict-yaml" => strict = true,
            "--times" => times = it.next().unwrap().parse().unwrap(),
            f => file = f,
        }
    }
    let text = std::fs::read(file).unwrap();
    let Ok(text) = String::from_utf8(text) else {
        eprintln!("utf8");
        std::process::exit(1)
    };
    let mut s = Sources::default();
    let f = s.add(file, text.clone());
    let dialect = if format == "bosh" { Dialect::Go } else { Dialect::Core };
    let t0 = std::time::Instant::now();
    let d = match yaml::read(&s, f, &Options { dialect, strict, ..Default::default() }) {
        Ok(d) => d,
        Err(e) => {
            eprintln!("{}", e.message);
            std::process::exit(1)
        }
    };
    let t1 = std::time::Instant::now();
    let mut out = String::new();
    for _ in 0..times {
        out.clear();
        match format {
            "bosh" => {
                out = yaml::go::print(&d, d.root(), Expansion::default()).unwrap_or_else(
                    |e| {
                        eprintln!("{}", e.message);
                        std::process::exit(1)
                    },
                )
            }
            "json" => {
                for (i, &r) in d.roots().iter().enumerate() {
                    if i == 0 || all {
                        out += &yaml::json::print(&d, r, Expansion::default())
                            .unwrap_or_else(|e| {
                                eprintln!("{}", e.message);
                                std::process::exit(1)
                            })
                    }
                }
            }
            _ => out = text.clone(),
        }
    }
    if times > 1 {
        eprintln!(
            "read {:?} print {:?} -> {:.1} MB/s",
            t1 - t0,
            t1.elapsed() / times,
            text.len() as f64 * f64::from(times) / 1e6 / t1.elapsed().as_secs_f64()
        );
    }
    std::io::stdout().write_all(out.as_bytes()).unwrap();
}
