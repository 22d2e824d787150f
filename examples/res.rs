use interpolate::scalar::*;
use std::io::BufRead;
fn main() {
    for l in std::io::stdin().lock().lines() {
        let t: String = serde_json::from_str(&l.unwrap()).unwrap();
        let f = |d| match Scalar::plain(&*t, d) {
            Scalar::Null => "null".to_string(),
            Scalar::Bool(b) => b.to_string(),
            Scalar::Int(i) => format!("i{i}"),
            Scalar::Float(x) => format!("f{x:?}"),
            Scalar::String(_) => "s".into(),
            Scalar::Binary(_) => "b".into(),
        };
        println!(
            "{}\t{}\t{}\t{}",
            f(Dialect::Core),
            f(Dialect::Go),
            f(Dialect::Yaml11),
            serde_json::to_string(&[
                spell(&Scalar::String((&*t).into()), Context::Block),
                spell_with(&Scalar::String((&*t).into()), Context::Flow, Quote::Double)
            ])
            .unwrap()
        );
    }
}
