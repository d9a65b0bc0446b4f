import { join } from 'node:path'
import { build } from 'esbuild'
import config from '../next.config.mjs'

// Bundles the console's commands with the build, so that production needs nothing to run TypeScript.
const [, , folder] = process.argv
await build({
  entryPoints: ['scripts/admin.ts', 'scripts/setup.ts', 'scripts/check-settings.ts'],
  outdir: join(folder, 'commands'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.9',
  conditions: ['react-server'],
  // `import()` of a CommonJS package across these files would find only a default export.
  mainFields: ['module', 'main'],
  // These packages look for files beside their code, in node_modules.
  external: config.serverExternalPackages,
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
