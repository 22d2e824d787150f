/** The document that the playground begins with. */
const BASE = `# The shop, as upstream ships it.
name: shop

services:
- name: web
  image: "shop/web:1.9"   # the public site
  replicas: 2
  env: {LOG_LEVEL: info, TZ: UTC}

- name: worker
  image: shop/worker:1.9  # sends the mails
  replicas: 1
`;

/** A patch for it in each language. */
const SAMPLES = {
  ops: {
    name: "ops.yml",
    text: `# What is different here.
- type: replace
  path: /services/name=web/replicas
  value: 5
- type: replace
  path: /services/name=web/env/LOG_LEVEL
  value: debug
- type: remove
  path: /services/name=worker
`,
  },
  "json-patch": {
    name: "patch.json",
    text: `[
  {"op": "replace", "path": "/services/0/replicas", "value": 5},
  {"op": "replace", "path": "/services/0/env/LOG_LEVEL", "value": "debug"},
  {"op": "remove", "path": "/services/1"}
]
`,
  },
  overlay: {
    name: "overlay.yml",
    text: `overlay: 1.0.0
info: {title: Ours, version: 1.0.0}
actions:
- target: $.services[?@.name == 'web']
  update:
    replicas: 5
    env: {LOG_LEVEL: debug}
- target: $.services[?@.name == 'worker']
  remove: true
`,
  },
  merge: {
    name: "changes.yml",
    text: `# A merge patch knows keys only: a list would be replaced as a whole.
name: shop-of-ours
region: north
`,
  },
  arguments: {
    name: "command line",
    text: `--set services[name=web].replicas=5
--set services[name=web].env.LOG_LEVEL=debug
--rm services[name=worker]
`,
  },
};

const LANGUAGES = {
  ops: "Ops-file",
  "json-patch": "JSON Patch",
  overlay: "OpenAPI Overlay",
  merge: "JSON Merge Patch",
  arguments: "Command line",
};
