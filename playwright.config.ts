import { defineConfig } from '@playwright/test'

const chromium = process.env.CHROMIUM_PATH || '/usr/bin/chromium'

/** The built app twice: the demo, and connected over HTTP to the reference service on a port of its own. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: 'http://localhost:3101',
    locale: 'sv-SE',
    timezoneId: 'Europe/Stockholm',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-quic'],
    },
  },
  projects: [{ name: 'chromium', use: { viewport: { width: 1440, height: 900 } } }],
  webServer: [
    { command: 'node e2e/serve.mjs service', port: 4120, reuseExistingServer: false, timeout: 60_000 },
    {
      command: 'node e2e/serve.mjs connected',
      url: 'http://localhost:3102/api/health',
      reuseExistingServer: false,
      timeout: 120_000,
    },
    {
      command: 'node e2e/serve.mjs demo',
      url: 'http://localhost:3101/api/health',
      reuseExistingServer: false,
      timeout: 120_000,
    },
  ],
})
