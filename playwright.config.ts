import { defineConfig } from '@playwright/test'
import { DOWNLOADS, FIREFOX, hasWebKit, WEBKIT_DRIVER } from './e2e/browsers/engines'

const chromium = process.env.CHROMIUM_PATH || '/usr/bin/chromium'

/** `main` are the main ways in Chromium, `screens` what only the full run looks at there, `browsers` the ways in Firefox and WebKit. */
const part = process.env.TEST_PART ?? 'main'
const OWN = { reuseExistingServer: false, timeout: 120_000 }
const app = (name: string, port: number) => ({
  command: `node e2e/serve.mjs ${name}`,
  url: `http://localhost:${port}/api/health/ready`,
  ...OWN,
})

const webkit = {
  command: `node e2e/browsers/serve-webkit.mjs ${new URL(WEBKIT_DRIVER).port} ${DOWNLOADS.webkit}`,
  url: `${WEBKIT_DRIVER}/status`,
  ...OWN,
}
const OTHER = { testDir: 'e2e/browsers', fullyParallel: false, timeout: 90_000, expect: { timeout: 25_000 } }
const AT_OTHER = { baseURL: 'http://localhost:3105', viewport: { width: 1280, height: 860 } }

/** The built app twice: the demo, and connected over HTTP to the reference service; for the other browsers a demo of their own. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  ...(part === 'main' && { grepInvert: /@full/ }),
  ...(part === 'screens' && { grep: /@full/ }),
  forbidOnly: Boolean(process.env.CI),
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: 'http://localhost:3101',
    locale: 'sv-SE',
    timezoneId: 'Europe/Stockholm',
    // Recording each step takes a tenth of the time of all; what a failed one looked like is kept as one picture.
    trace: process.env.TRACE ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-quic',
        // A machine without a graphics card would work as one in software, and start a process for each page: two fifths of all the time.
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
      ...OTHER,
      name: 'firefox',
      testMatch: '**/firefox.spec.ts',
      use: {
        ...AT_OTHER,
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: FIREFOX, downloadsPath: DOWNLOADS.firefox },
        // To take a picture Playwright sets a style, which the page's policy refuses, and Firefox calls that an error.
        screenshot: 'off',
      },
    },
    { ...OTHER, name: 'webkit', testMatch: '**/webkit.spec.ts', use: AT_OTHER },
  ],
  webServer:
    part === 'browsers'
      ? [app('browsers', 3105), ...(hasWebKit ? [webkit] : [])]
      : [
          { command: 'node e2e/serve.mjs service', port: 4120, ...OWN },
          { command: 'node e2e/serve.mjs provider', port: 4130, ...OWN },
          app('connected', 3102),
          app('demo', 3101),
        ],
})
