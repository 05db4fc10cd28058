// Builds src/ into ../static/dist: hashed files, manifest.json, and .br and .gz beside everything that compresses.
// The result is committed, so that a machine without Node can run the product. Same input, same bytes.
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const served = join(here, "../static/dist");
/** Written beside and swapped in at the end: a running server has the old files until the new ones are whole. */
const dist = join(here, "../static/dist.new");
const entries = ["base", "lesson", "exercise", "search", "preview"].map((name) => `src/${name}.ts`);

const options = {
  absWorkingDir: here,
  entryPoints: [...entries, "src/css/site.css", "src/css/exercise.css"],
  outdir: dist,
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022", "chrome123", "firefox120", "safari17.5"], // light-dark() sets the floor
  minify: true,
  metafile: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "fonts/[name]-[hash]",
  loader: { ".woff2": "file" },
  legalComments: "none",
  logLevel: "warning",
};

/** Maps "site.css" to the hashed name it was written under. */
function entryNames(metafile) {
  const names = {};
  for (const [path, output] of Object.entries(metafile.outputs)) {
    if (output.entryPoint?.startsWith("src/") && entries.concat("src/css/site.css", "src/css/exercise.css").includes(output.entryPoint))
      names[basename(output.entryPoint).replace(/\.ts$/, ".js")] = relative(dist, join(here, path));
  }
  return names;
}

/** Copies assets/ (logo, icons) under hashed names. */
async function copyAssets(names) {
  for (const name of (await readdir(join(here, "assets"))).sort()) {
    const bytes = await readFile(join(here, "assets", name));
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();
    const hashed = `${basename(name, extname(name))}-${hash}${extname(name)}`;
    await writeFile(join(dist, hashed), bytes);
    names[name] = hashed;
  }
}

async function copyLicences() {
  const licences = join(dist, "licences");
  await mkdir(licences, { recursive: true });
  await cp(join(here, "fonts/FP-Code-LICENSE.txt"), join(licences, "FP-Code.txt"));
  await cp(join(here, "node_modules/pretendard/dist/LICENSE.txt"), join(licences, "Pretendard.txt"));
  await cp(join(here, "node_modules/@fontsource/stix-two-math/LICENSE"), join(licences, "STIX-Two-Math.txt"));
  for (const name of ["codemirror/view", "lezer/common"])
    await cp(join(here, `node_modules/@${name}/LICENSE`), join(licences, `${name.replace("/", "-")}.txt`));
  await cp(join(here, "node_modules/htmx.org/LICENSE"), join(licences, "htmx.txt"));
}

async function compress() {
  for (const name of await readdir(dist)) {
    if (![".js", ".css", ".svg"].includes(extname(name))) continue;
    const bytes = await readFile(join(dist, name));
    if (bytes.length < 1024) continue;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeFile(join(dist, `${name}.br`), brotliCompressSync(bytes, { params: quality }));
    await writeFile(join(dist, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

async function finish(metafile) {
  const names = entryNames(metafile);
  await copyAssets(names);
  await copyLicences();
  await compress();
  const sorted = Object.fromEntries(Object.entries(names).sort());
  await writeFile(join(dist, "manifest.json"), `${JSON.stringify(sorted, null, 2)}\n`);
}

await rm(dist, { recursive: true, force: true });
const result = await esbuild.build(options);
await finish(result.metafile);
await rm(served, { recursive: true, force: true });
await rename(dist, served);
