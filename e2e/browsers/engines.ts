import { existsSync } from 'node:fs'

export const FIREFOX = process.env.FIREFOX_PATH || '/usr/bin/firefox-esr'

/** Where WebKit's driver answers. */
export const WEBKIT_DRIVER = 'http://127.0.0.1:3106'

export type Engine = 'firefox' | 'webkit'
/** The folders where files arrive: Playwright hears of no download from Firefox ESR, and of nothing from WebKit. */
export const DOWNLOADS = { firefox: 'test-results/from-firefox', webkit: 'test-results/from-webkit' }

export const hasFirefox = existsSync(FIREFOX)
export const hasWebKit = existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb')

/** Whether there is nothing to test with here, which is then said aloud. In CI its tests are run, and fail. */
export function isMissing(isHere: boolean, packages: string): boolean {
  if (isHere || process.env.CI) return false
  console.log(`Not installed (Debian: ${packages}): its tests are skipped.`)
  return true
}
