import { defineConfig } from '@playwright/test'
import { DOWNLOADS, FIREFOX, hasWebKit, WEBKIT_DRIVER } from './e2e/browsers/engines'

/** `main` is Chromium without the tests marked @full, `screens` these alone, `all` both, `browsers` other engines. */
const testPart = process.env.TEST_PART ?? 'main'
const SERVER = { reuseExistingServer: false, timeout: 120_000 }
const serveApp = (name: string, port: number) => ({
  ...SERVER,
  command: `node e2e/serve.mjs ${name}`,
  url: `http://localhost:${port}/api/health/ready`,
})

const OTHER_BROWSER = { testDir: 'e2e/browsers', fullyParallel: false, timeout: 90_000, expect: { timeout: 25_000 } }
const OTHER_PAGE = { baseURL: 'http://localhost:3105', viewport: { width: 1280, height: 860 } }

/** Chromium tests the built app twice, as a demo and connected to the reference service; other engines test a demo. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  ...(testPart === 'main' && { grepInvert: /@full/ }),
  ...(testPart === 'screens' && { grep: /@full/ }),
  forbidOnly: Boolean(process.env.CI),
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: 'http://localhost:3101',
    locale: 'sv-SE',
    timezoneId: 'Europe/Stockholm',
    // A trace of each step costs a tenth of the time, so by default only a picture of a failure is kept.
    trace: process.env.TRACE ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-quic',
        // Without a graphics card, drawing by software and a process for each page cost two fifths of the time.
        '--disable-gpu',
        '--disable-software-rasterizer',
        '--disable-site-isolation-trials',
        '--renderer-process-limit=1',
      ],
    },
  },
  projects: [
    { name: 'chromium', testIgnore: '**/e2e/browsers/**', use: { viewport: { width: 1440, height: 900 } } },
    {
      ...OTHER_BROWSER,
      name: 'firefox',
      testMatch: '**/firefox.spec.ts',
      use: {
        ...OTHER_PAGE,
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: FIREFOX, downloadsPath: DOWNLOADS.firefox },
        // For a picture Playwright sets a style that the page's policy refuses, which Firefox reports as an error.
        screenshot: 'off',
      },
    },
    { ...OTHER_BROWSER, name: 'webkit', testMatch: '**/webkit.spec.ts', use: OTHER_PAGE },
  ],
  webServer: testPart === 'browsers' ? [serveApp('browsers', 3105), ...serveWebKit()] : serveBothApps(),
})

function serveBothApps() {
  return [
    { ...SERVER, command: 'node e2e/serve.mjs service', port: 4120 },
    { ...SERVER, command: 'node e2e/serve.mjs provider', port: 4130 },
    serveApp('connected', 3102),
    serveApp('demo', 3101),
  ]
}

function serveWebKit() {
  if (!hasWebKit) return []
  const command = `node e2e/browsers/serve-webkit.mjs ${new URL(WEBKIT_DRIVER).port} ${DOWNLOADS.webkit}`
  return [{ ...SERVER, command, url: `${WEBKIT_DRIVER}/status` }]
}
