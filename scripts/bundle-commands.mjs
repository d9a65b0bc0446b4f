import { join } from 'node:path'
import { build } from 'esbuild'
import config from '../next.config.mjs'

// What runs beside the server, with its code: bundled with the build, so that production needs nothing to run TypeScript.
const [, , folder] = process.argv
await build({
  entryPoints: { admin: 'scripts/admin.ts', 'check-settings': 'scripts/check-settings.ts' },
  outdir: join(folder, 'commands'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.9',
  conditions: ['react-server'],
  // Of a package that is no module, `import()` across the files made here finds only a default export.
  mainFields: ['module', 'main'],
  // With files of their own beside their code; the server has them from node_modules, too.
  external: config.serverExternalPackages,
  // What packages that are not modules expect of Node.
  banner: {
    js: [
      "import { createRequire as requireOf } from 'node:module'",
      "import { fileURLToPath as pathOf } from 'node:url'",
      'const require = requireOf(import.meta.url)',
      "const __dirname = pathOf(new URL('.', import.meta.url))",
    ].join('\n'),
  },
  logLevel: 'warning',
})
