import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Finds an installed Chromium, or installs one. Throws if none can be had. */
export function findChromium() {
  const path = process.env.CHROMIUM_PATH || findInstalled() || installByPlaywright() || installByApt()
  if (!path) throw new Error('The browser tests need a Chromium: install one, or name it in CHROMIUM_PATH.')
  return path
}

function findInstalled() {
  return [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path))
}

function installByPlaywright() {
  console.log('No Chromium found: trying Playwright’s own …')
  const install = ['node_modules/@playwright/test/cli.js', 'install', 'chromium']
  spawnSync(process.execPath, install, { stdio: 'inherit', timeout: 300_000 })
  return findInstalled()
}

function installByApt() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing the system’s chromium package …')
  const apt = (...args) =>
    spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  apt('update')
  if (apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell').status !== 0)
    apt('install', '-y', '--no-install-recommends', 'chromium')
  return findInstalled()
}
