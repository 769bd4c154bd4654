// Makes the page's template of the files beside this one and of the libraries
// that package-lock.json names:  node bundle.mjs OUTPUT
// The working directory holds node_modules, as `npm ci` leaves it.

import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(process.cwd(), "node_modules");
const esbuild = createRequire(join(process.cwd(), "package.json"))("esbuild");

/** What a table in the schema has, without what that means, which the page does not need. */
function names(schema) {
  if (typeof schema === "string") return "";
  const members = Object.entries(schema).filter(([name]) => name !== "about");
  return Object.fromEntries(members.map(([name, member]) => [name, names(member)]));
}

const withoutMeanings = {
  name: "schema",
  setup(build) {
    build.onLoad({ filter: /schema\.json$/ }, ({ path }) => ({
      contents: JSON.stringify(names(JSON.parse(readFileSync(path, "utf8")))),
      loader: "json",
    }));
  },
};

/** The script and the style, and which packages they are made of. */
async function built() {
  const result = await esbuild.build({
    entryPoints: [join(here, "main.js")],
    nodePaths: [modules],
    outdir: process.cwd(),
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    charset: "utf8",
    target: "es2022",
    tsconfigRaw: {}, // that of the sources is for what checks them
    minify: true,
    keepNames: true, // d3-flame-graph knows d3's nodes by their class's name
    legalComments: "none",
    logLevel: "warning",
    plugins: [withoutMeanings],
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;
  const packages = Object.keys(result.metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter((name) => name !== undefined);
  return { script: text(".js"), style: text(".css"), packages: [...new Set(packages)].sort() };
}

/** A library's licence in full, with its name and version. */
function licence(name) {
  const folder = join(modules, name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
}

/** All licences as a comment of HTML, in which no two dashes may meet. */
function licences(packages) {
  const texts = packages.map(licence).join(`\n\n${"=".repeat(72)}\n\n`);
  return `<!--\nThis page holds parts of these libraries.\n\n${texts.replaceAll("--", "- -")}\n-->`;
}

/** No text ends the element that it stands in, or looks like a mark. */
function inside(text) {
  return text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

const { script, style, packages } = await built();
const page = readFileSync(join(here, "page.html"), "utf8")
  .replace("<!-- style -->", () => style)
  .replace("<!-- script -->", () => inside(script))
  .replace("<!-- licences -->", () => licences(packages));
const output = process.argv[2];
writeFileSync(`${output}.unfinished`, page);
renameSync(`${output}.unfinished`, output);
