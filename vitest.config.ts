import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const folders = '{app,components,lib,server,reference-service,scripts}/**'
/** These tests set, end or measure something of the whole process, so that each file needs one of its own. */
const ALONE = [
  'app/every-route.integration.test.ts',
  'server/access/{provider-proof,proxy}.integration.test.ts',
  'server/http/{next-auth,provider-logout,single-sign-on*}.integration.test.ts',
  'server/run/shutdown.integration.test.ts',
  'server/feed/proxy.integration.test.ts',
]
/** One process runs many files, so they must leave no timer, spy or variable behind. */
const inSharedProcess = { isolate: false, unstubGlobals: true, unstubEnvs: true }

export default defineConfig({
  resolve: {
    alias: [
      { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: 'node',
    // There is a worker for each core; by default one core of two would be idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // On a busy machine an awaited effect may come late, and no test is about its speed.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          ...inSharedProcess,
          name: 'unit',
          include: [`${folders}/*.test.ts`],
          exclude: ['**/*.integration.test.ts'],
        },
      },
      {
        extends: true,
        // These tests open a database, a port or a process.
        test: {
          ...inSharedProcess,
          name: 'integration',
          include: [`${folders}/*.integration.test.ts`],
          exclude: ALONE,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
})
