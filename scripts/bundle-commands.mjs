import { join } from 'node:path'
import { build } from 'esbuild'
import config from '../next.config.mjs'

// Compiles the console's commands to JavaScript with the build, so that production needs no TypeScript loader.
const [, , outputFolder] = process.argv
await build({
  entryPoints: ['scripts/admin.ts', 'scripts/setup.ts', 'scripts/check-settings.ts'],
  outdir: join(outputFolder, 'commands'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.9',
  // Without this condition the package server-only throws when it is imported.
  conditions: ['react-server'],
  // ES module builds are preferred, because `import()` finds only a default export in a CommonJS file of its own.
  mainFields: ['module', 'main'],
  // These packages look for files beside their code, in node_modules.
  external: config.serverExternalPackages,
  // Bundled CommonJS code uses `require` and `__dirname`, which an ES module lacks.
  banner: {
    js: [
      "import { createRequire as bannerCreateRequire } from 'node:module'",
      "import { fileURLToPath as bannerFileURLToPath } from 'node:url'",
      'const require = bannerCreateRequire(import.meta.url)',
      "const __dirname = bannerFileURLToPath(new URL('.', import.meta.url))",
    ].join('\n'),
  },
  logLevel: 'warning',
})
