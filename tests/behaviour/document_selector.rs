//! A table of selectors of documents and of what they choose.

use interpolate::unstable::select::{DocumentSelector, QueryBudget};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};

const STREAM: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web, tier: front, empty: ''}}
---
apiVersion: v1
kind: Service
metadata: {name: web-2, annotations: {team: a, example.org/x: 'yes'}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader, namespace: ignored, labels: {app: db}}
---
apiVersion: v1
kind: Namespace
---
kind: [no, text]
metadata: text
---
- a list
---
base: &base {metadata: {name: merged, labels: {app: web}}}
<<: *base
kind: ~
metadata: {name: 1.10}
";

/// Selectors, and the numbers of the documents that they choose, from 1.
const CASES: [(&str, &[usize]); 46] = [
    ("kind=Deployment", &[1]),
    ("kind=deployment", &[]),
    ("kind=Deploy", &[]),
    ("kind=.*", &[1, 2, 3, 4, 5, 6, 7]),
    ("kind=.+", &[1, 2, 3, 4]),
    ("kind=Deployment|Service", &[1, 2]),
    (" kind = Service ", &[2]),
    ("name=web.*", &[1, 2]),
    ("name=web", &[1]),
    ("name=web-[0-9]+", &[2]),
    ("name=", &[1, 2, 3, 4, 5, 6, 7]),
    ("name=1\\.10", &[7]),
    ("kind=Service,name=web", &[]),
    ("kind=.*,name=web", &[1]),
    ("group=apps", &[1]),
    ("group=", &[1, 2, 3, 4, 5, 6, 7]),
    ("group=v1", &[]),
    ("group=rbac.*", &[3]),
    ("version=v1,group=.+", &[1, 3]),
    ("version=v1", &[1, 2, 3, 4]),
    // A namespace that is not written is `default`; a kind of the cluster is in none.
    ("namespace=shop", &[1]),
    ("namespace=default", &[2, 5, 6, 7]),
    ("namespace=ignored", &[]),
    ("namespace=_non_namespaceable_", &[3, 4]),
    ("labels=(app=web)", &[1]),
    ("labels=app=web", &[1]),
    ("labels=(app==web, tier=front)", &[1]),
    ("labels=()", &[1, 2, 3, 4, 5, 6, 7]),
    // A document without such a label has no other value either.
    ("labels=(app!=web)", &[2, 3, 4, 5, 6, 7]),
    ("labels=(app in (web, db))", &[1, 3]),
    ("labels=(app in(db))", &[3]),
    ("labels=(app notin (web))", &[2, 3, 4, 5, 6, 7]),
    ("labels=(app,app notin (web))", &[3]),
    ("labels=(app)", &[1, 3]),
    ("labels=(!app)", &[2, 4, 5, 6, 7]),
    ("labels=(! app)", &[2, 4, 5, 6, 7]),
    ("labels=(empty=)", &[1]),
    ("labels=(missing=)", &[]),
    ("labels=(app=web),kind=Service", &[]),
    ("annotations=(team=a)", &[2]),
    ("annotations=(example.org/x=yes)", &[2]),
    ("labels=(app=web),annotations=(!team)", &[1]),
    ("@.kind == 'Service'", &[2]),
    ("!@.metadata", &[4, 6]),
    ("(@.kind == 'Service' || @.metadata.name == 'web')", &[1, 2]),
    ("@[?@ == 'a list']", &[6]),
];

const REFUSED: [&str; 14] = [
    "",
    "Deployment",
    "knd=Deployment",
    "kind=Deployment,",
    "labels=app=web,tier=front",
    "labels=(app>1)",
    "labels=(app in web)",
    "labels=(app in (a b))",
    "labels=(=web)",
    "labels=(!app=web)",
    "labels=(a b)",
    "labels=(,)",
    "name=\\d+",
    "@.kind == ",
];

#[test]
fn selectors() -> interpolate::unstable::diagnostic::Result<()> {
    let mut sources = Sources::default();
    let file = sources.add("stream", STREAM);
    let tree = yaml::read(&sources, file, &Options::default())?;
    let mut wrong = Vec::new();
    for (text, wanted) in CASES {
        let selector = DocumentSelector::parse(text);
        let Ok(selector) =
            selector.inspect_err(|why| wrong.push(format!("{text}: {why}")))
        else {
            continue;
        };
        let mut chosen = Vec::new();
        for (at, &root) in tree.roots().iter().enumerate() {
            if selector.selects(&tree, root, &mut QueryBudget::of_steps(1000))? {
                chosen.push(at + 1);
            }
        }
        if chosen != wanted {
            wrong.push(format!("{text}: {chosen:?}, not {wanted:?}"));
        }
    }
    let accepted = REFUSED.iter().filter(|text| DocumentSelector::parse(text).is_ok());
    wrong.extend(accepted.map(|text| format!("'{text}' is accepted")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
