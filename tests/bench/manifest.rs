//! Large inputs in the shape of real deployments, the same on every run: manifests of
//! 10,000 instance groups, and ops-files that reach into them.

use std::fmt::Write;

pub(crate) const GROUPS: usize = 10_000;

const WORDS: [&str; 12] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota",
    "kappa", "lambda", "omega",
];

/// A multiplicative generator: repeatable, and good enough to mix shapes.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.roll(WORDS.len())]
    }

    fn words(&mut self, separator: &str) -> String {
        let count = 2 + self.roll(6);
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(separator)
    }
}

/// A manifest of about `size` bytes.
pub(crate) fn manifest(size: usize) -> String {
    let mut dice = Dice(size as u64);
    let mut out = String::from("# made for measuring\nname: bench\nreleases:\n");
    for i in 0..20 {
        let _ = writeln!(out, "- name: rel-{i}\n  version: \"{i}.{i}\"");
    }
    out.push_str("instance_groups:\n");
    for i in 0..GROUPS {
        group(&mut out, &mut dice, i, size / GROUPS);
    }
    out + "update: {canaries: 1, max_in_flight: 10}\n"
}

/// The beginning of a large manifest: about `size` bytes, whole lines.
pub(crate) fn manifest_of(size: usize) -> String {
    let text = manifest(size.max(10_000_000));
    if size >= 10_000_000 {
        return text;
    }
    let end = text[..size].rfind('\n').map_or(0, |at| at + 1);
    text[..end].to_owned()
}

fn group(out: &mut String, dice: &mut Dice, number: usize, size: usize) {
    let start = out.len();
    let instances = dice.roll(9);
    let _ = write!(
        out,
        "- name: ig-{number:05}\n  azs: [z1, z2]\n  instances: {instances}\n  \
         networks:\n  - name: default\n  jobs:\n"
    );
    let mut job = 0;
    while job == 0 || out.len() < start + size {
        let _ =
            write!(out, "  - name: job-{job}\n    release: rel-{job}\n    properties:\n");
        for i in 0..12 {
            property(out, dice, i);
            if out.len() >= start + size {
                break;
            }
        }
        job += 1;
    }
}

fn property(out: &mut String, dice: &mut Dice, number: usize) {
    let value = match dice.roll(9) {
        0 => dice.roll(100_000).to_string(),
        1 => ["true", "false"][dice.roll(2)].into(),
        2 => dice.words(" "),
        3 => format!("\"{}: {}\"", dice.word(), dice.roll(99)),
        4 => format!("https://{}.example.com:{}/x?y=1", dice.word(), dice.roll(9999)),
        5 => format!("[{}]", dice.words(", ")),
        6 => format!("{{a: {}, b: {}, c: [1, 2]}}", dice.roll(9), dice.word()),
        7 => "|\n        #!/bin/bash\n        set -e\n        exit 0".into(),
        _ => format!("{}.{}", dice.roll(9), 1 + dice.roll(8)),
    };
    let _ = writeln!(out, "      p{number}_{}: {value}", dice.word());
}

/// One op for each of `count` groups, at the path that `path` gives.
pub(crate) fn ops(count: usize, path: impl Fn(usize) -> String, value: &str) -> String {
    let mut out = String::new();
    for i in 0..count {
        let group = i * 7919 % GROUPS;
        let path = path(group);
        let _ = writeln!(out, "- type: replace\n  path: {path}\n  value: {value}");
    }
    out
}

/// A manifest that uses 200 variables 10,000 times, and a vars file with their values.
pub(crate) fn variables(size: usize) -> (String, String) {
    let mut used = 0;
    let text = manifest(size);
    let lines = text.lines().map(|line| match line.split_once("instances: ") {
        Some((before, _)) => {
            used += 1;
            format!("{before}instances: ((v{:03}))\n", used % 200)
        }
        None => format!("{line}\n"),
    });
    let text = lines.collect();
    let value = |i| match i % 3 {
        0 => format!("v{i:03}: {{a: [1, 2], b: value-{i}}}\n"),
        _ => format!("v{i:03}: value-{i}\n"),
    };
    (text, (0..200).map(value).collect())
}

/// Returns a document of 1,000 mappings that inherit from templates, and the same without
/// directives.
pub(crate) fn directives(size: usize) -> (String, String) {
    let mut out = String::from("templates:\n");
    for i in 0..100 {
        let _ = writeln!(out, "  t{i}:");
        for key in 0..10 {
            let _ = writeln!(out, "    key{key}: value number {key} of {i}");
        }
    }
    out.push_str("groups:\n");
    let own = size / 1_000 / 55;
    for i in 0..1_000 {
        let _ =
            writeln!(out, "- name: group{i}\n  +/templates/t{}:\n  key3: own", i % 100);
        for key in 0..own {
            let _ =
                writeln!(out, "  own{key}: a value that is long enough to count {key}");
        }
    }
    let without = out.replace("+/", "-/");
    (out, without)
}

/// Returns about a megabyte with 1,000 directives, and its expansion with two kinds of
/// edits: of the sources of every hundredth directive, and of one override.
pub(crate) fn edited() -> (String, String) {
    let mut base = String::from("defaults:\n");
    for i in 0..100 {
        base += &format!("  d{i}: &d{i}\n    host: h{i}.example\n    tags: [a, {i}]\n");
    }
    base += "services:\n";
    let mut edited = base.replacen("h7.example", "h7.test", 1);
    for i in 0..1000 {
        let d = i % 100;
        let head = format!("  # service {i}\n  s{i}:\n");
        base += &format!("{head}    +/defaults/d{d}:\n");
        edited += &format!("{head}    host: h{d}.example\n    tags: [a, {d}]\n");
        let name = if i == 500 { "other".to_owned() } else { format!("service-{i}") };
        base += &format!("    name: service-{i} # own\n    env:\n");
        edited += &format!("    name: {name} # own\n    env:\n");
        for k in 0..30 {
            let line = format!("      KEY_{k:02}: value {} # comment\n", i * 31 + k * 7);
            base += &line;
            edited += &line;
        }
    }
    (base, edited)
}

/// Returns a mapping of `count` small templates, all different.
pub(crate) fn templates(count: usize) -> String {
    let mut out = String::from("name: shop\nport: 80\ntags: [a, b]\nhosts:\n");
    for i in 0..10 {
        let _ = writeln!(out, "  - {{name: h{i}, up: {}}}", i % 2 == 0);
    }
    out.push_str("made:\n");
    for i in 0..count {
        let template = match i % 10 {
            0 => format!("{{{{ name }}}}-{i}"),
            1 => format!("{{{{ port + {i} }}}}"),
            2 => format!("{{{{ name | upper }}}}.{i}.example"),
            3 => format!("{{{{ hosts[{}].name }}}}", i / 10 % 10),
            4 => format!("{{{{ tags | join('-{i}-') }}}}"),
            5 => format!("{{% if port > {i} %}}low{{% else %}}high {i}{{% endif %}}"),
            6 => format!("{{% for t in tags %}}{{{{ t }}}}{i} {{% endfor %}}"),
            7 => format!("{{{{ nothing | default('none {i}') }}}}"),
            8 => format!("{{{{ hosts | selectattr('up') | list | length + {i} }}}}"),
            _ => format!("{{{{ 'x' ~ {i} ~ ':' ~ port }}}}"),
        };
        let _ = writeln!(out, "  k{i}: \"{template}\"");
    }
    out
}

/// Returns about `size` bytes of items and 1,000 expressions, each of which selects an
/// item.
pub(crate) fn expressions(size: usize) -> String {
    let mut out = String::from("items:\n");
    let mut items = 0;
    while out.len() < size {
        let _ =
            writeln!(out, "  - name: item{items}\n    text: something to read {items}");
        items += 1;
    }
    out.push_str("made:\n");
    for i in 0..1_000 {
        let _ = writeln!(out, "  k{i}: {{eval: 'items::{}::name'}}", i * items / 1_000);
    }
    out
}

/// Returns a Heat template of about `size` bytes: servers, each with volumes, ports and
/// metadata, whose properties are computed by functions.
pub(crate) fn template(size: usize) -> String {
    let mut text = "heat_template_version: rocky\nparameters:\n".to_owned();
    for number in 0..100 {
        text += &format!(
            "  parameter_{number}:\n    type: string\n    description: {}\n    default: \
             value-{number}\n    constraints:\n    - length: {{min: 1, max: 64}}\n",
            Dice(number).words(" ")
        );
    }
    text += "conditions:\n  large: {equals: [{get_param: parameter_1}, value-1]}\n";
    text += "resources:\n";
    let (mut number, mut outputs) = (0, "outputs:\n".to_owned());
    while text.len() + outputs.len() < size {
        let (parameter, words) = (number % 100, Dice(number as u64).words(" "));
        text += &format!(
            "  server_{number}:
    type: OS::Nova::Server
    condition: large
    metadata: {{role: {{get_param: parameter_{parameter}}}, order: {number}}}
    properties:
      name:
        str_replace:
          template: $stack-$number-server
          params:
            $stack: {{get_param: OS::stack_name}}
            $number: {number}
      flavor: {{if: [large, m1.large, m1.small]}}
      user_data: |
        #!/bin/sh
        # {words}
        exec server --number {number}
      networks:
      - port: {{get_resource: port_{number}}}
      tags:
        list_concat:
        - [{{get_param: parameter_{parameter}}}, server]
        - repeat:
            template: tag-%n%
            for_each: {{'%n%': [one, two, three]}}
      options:
        map_merge:
        - {{zone: nova, keep: true}}
        - {{description: {{list_join: [', ', [{words:?}, {{get_param: parameter_{parameter}}}]]}}}}
  port_{number}:
    type: OS::Neutron::Port
    properties:
      network: {{get_param: [parameter_{parameter}]}}
      fixed_ips:
      - {{subnet: net-{parameter}, ip_address: 10.0.{}.{}}}
",
            number / 250 % 250,
            number % 250
        );
        outputs += &format!(
            "  address_{number}: {{value: {{get_attr: [server_{number}, first_address]}}}}\n"
        );
        number += 1;
    }
    text + &outputs
}
