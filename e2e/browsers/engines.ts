import { existsSync } from 'node:fs'

export const FIREFOX = process.env.FIREFOX_PATH || '/usr/bin/firefox-esr'

export const WEBKIT_DRIVER = 'http://127.0.0.1:3106'

export type Engine = 'firefox' | 'webkit'
/** Playwright reports no downloads of Firefox ESR and WebKit. */
export const DOWNLOADS = { firefox: 'test-results/from-firefox', webkit: 'test-results/from-webkit' }

export const hasFirefox = existsSync(FIREFOX)
export const hasWebKit = existsSync('/usr/bin/WebKitWebDriver') && existsSync('/usr/bin/Xvfb')

/** Skipped aloud, except in CI, where the tests run and fail. */
export function isMissing(isHere: boolean, packages: string): boolean {
  if (isHere || process.env.CI) return false
  console.log(`Not installed (Debian: ${packages}): its tests are skipped.`)
  return true
}
