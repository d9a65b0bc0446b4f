import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const folders = '{app,components,lib,server,reference-service,scripts}/**'
/** What sets, ends or measures something of the whole process (environment, services, signals, time) has one of its own. */
const ALONE = [
  'app/every-route.integration.test.ts',
  'server/access/{provider-proof,proxy}.integration.test.ts',
  'server/http/{back-channel-logout,single-sign-on*}.integration.test.ts',
  'server/run/shutdown.integration.test.ts',
  'server/feed/proxy.integration.test.ts',
]

export default defineConfig({
  resolve: {
    alias: [
      { find: /^server-only$/, replacement: `${root}node_modules/server-only/empty.js` },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: 'node',
    // One for each core; without this one core of two would lie idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          // One process runs many of these files: they leave no timer, spy or variable behind.
          name: 'unit',
          include: [`${folders}/*.test.ts`],
          exclude: ['**/*.integration.test.ts'],
          isolate: false,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        test: {
          // What opens a database, a port or a process.
          name: 'integration',
          include: [`${folders}/*.integration.test.ts`],
          exclude: ALONE,
          isolate: false,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE },
      },
    ],
  },
})
