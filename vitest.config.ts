import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))
const folders = '{app,components,lib,server,reference-service,scripts}/**'
/** Tests that set, end or measure something of the whole process (environment, services, signals, time) have one of their own. */
const ALONE = [
  'app/every-route.integration.test.ts',
  'server/access/{provider-proof,proxy}.integration.test.ts',
  'server/http/{back-channel-logout,next-auth,single-sign-on*}.integration.test.ts',
  'server/run/exit-signals.integration.test.ts',
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
    // There is a worker for each core; by default one core of two would be idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          // One process runs many of these files, so they must leave no timer, spy or variable behind.
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
          // These tests open a database, a port or a process.
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
