use interpolate::scalar::*;
use serde_json::*;
fn main() {
    for l in std::io::stdin().lines() {
        let mut v: Value = from_str(&l.unwrap()).unwrap();
        let t = Scalar::String(v["text"].as_str().unwrap().to_string().into());
        let q = if v["quote"] == "double" { Quote::Double } else { Quote::Single };
        for (n, c) in [("block", Context::Block), ("flow", Context::Flow)] {
            v[n] = json!(spell_with(&t, c, q));
        }
        println!("{v}");
    }
}
