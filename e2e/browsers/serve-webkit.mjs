import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

// WebKitGTK's driver with a virtual screen, and a home folder that gets the downloads.
const [port, home] = process.argv.slice(2)
mkdirSync(home, { recursive: true })

const SCREEN = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-noreset']
const screen = spawn('/usr/bin/Xvfb', SCREEN, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
const [display] = await once(screen.stdio[3], 'data')

const env = {
  ...process.env,
  HOME: resolve(home),
  XDG_CONFIG_HOME: resolve(home, '.config'),
  DISPLAY: `:${String(display).trim()}`,
  GDK_BACKEND: 'x11',
  LIBGL_ALWAYS_SOFTWARE: '1',
  NO_AT_BRIDGE: '1',
  TZ: 'Europe/Stockholm',
}
spawn('/usr/bin/WebKitWebDriver', [`--port=${port}`, '--replace-on-new-session'], { env, stdio: 'inherit' })
