//! Other programs that read and print YAML, where they are on this machine.

use std::process::Command;
use std::time::Duration;

use crate::bench::Bench;
use crate::cost::Cost;

/// Number of runs of a peer, some of which take seconds.
const RUNS: usize = 3;

/// Another program.
pub(crate) struct Peer {
    /// Its name, and what it does to the file.
    pub(crate) name: &'static str,
    how: How,
}

enum How {
    /// A command with the name of the file behind it.
    Command(&'static [&'static str]),
    /// A script of Python that gets the name of the file and prints its seconds of processor
    /// time, without those of the interpreter's start.
    Python(&'static str),
}

/// The peers; those that are not installed are left out.
pub(crate) const PEERS: [Peer; 5] = [
    Peer {
        name: "rapidyaml, parse in place",
        how: How::Python(
            "import ryml, sys, time\n\
             data = open(sys.argv[1], 'rb').read()\n\
             best = 1e9\n\
             for _ in range(7):\n\
             \x20   text = bytearray(data)\n\
             \x20   start = time.process_time()\n\
             \x20   ryml.parse_in_place(text)\n\
             \x20   best = min(best, time.process_time() - start)\n\
             print(best)\n",
        ),
    },
    Peer { name: "bosh interpolate", how: How::Command(&["bosh", "interpolate"]) },
    Peer { name: "yq", how: How::Command(&["yq", "."]) },
    Peer { name: "jaq", how: How::Command(&["jaq", "--from", "yaml", "."]) },
    Peer {
        name: "ruamel.yaml, load and dump",
        how: How::Python(
            "import io, ruamel.yaml, sys, time\n\
             yaml = ruamel.yaml.YAML()\n\
             text = open(sys.argv[1]).read()\n\
             start = time.process_time()\n\
             yaml.dump(yaml.load(text), io.StringIO())\n\
             print(time.process_time() - start)\n",
        ),
    },
];

impl Peer {
    /// Returns the cost of reading and printing a file; `None` if the peer is not installed.
    pub(crate) fn measure(&self, bench: &Bench, file: &str) -> Option<Cost> {
        match self.how {
            How::Command(words) => {
                let make = || {
                    let mut command = Command::new(words[0]);
                    command.args(&words[1..]).arg(file);
                    command
                };
                let tried = make().current_dir(bench.folder).output().ok()?;
                tried.status.success().then(|| bench.command(RUNS, make))
            }
            How::Python(script) => {
                let mut command = Command::new("python3");
                command.args(["-c", script, file]).current_dir(bench.folder);
                let told = command.output().ok()?;
                let seconds: f64 =
                    String::from_utf8(told.stdout).ok()?.trim().parse().ok()?;
                Some(Cost { cpu: Duration::from_secs_f64(seconds), peak: None })
            }
        }
    }
}
