import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type Tab, until } from './browser'

const DRIVER = '/usr/bin/WebKitWebDriver'
const LIBRARIES = '/usr/lib'
const START_MS = 15_000

/** The path of WebKitGTK's small browser, if it and all that it needs are installed. */
export function findWebKit(): string | undefined {
  if (!existsSync(DRIVER) || !existsSync('/usr/bin/Xvfb')) return undefined
  return readdirSync(LIBRARIES)
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((name) => readdirSync(join(LIBRARIES, name)).map((library) => join(LIBRARIES, name, library)))
    .filter((path) => path.includes('webkit'))
    .map((path) => join(path, 'MiniBrowser'))
    .find((path) => existsSync(path))
}

/** Starts a screen for WebKitGTK. Each tab is a browser of its own, with a driver of its own. */
export async function startWebKit(path: string): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'intag-webkit-'))
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads)
  mkdirSync(join(folder, '.config'))
  writeFileSync(join(folder, '.config', 'user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/downloads"\n')
  const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    DISPLAY: `:${await firstLine(screen)}`,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    TZ: 'Europe/Stockholm',
  }
  return {
    newTab: () => newTab(path, env),
    downloads,
    close: async () => {
      await end(screen)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  await ended
}

function firstLine(screen: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    screen.stdio[3]?.once('data', (line) => resolve(String(line).trim()))
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** One command of WebDriver. */
async function ask(method: 'GET' | 'POST' | 'DELETE', url: string, body: object = {}, withinMs = 60_000) {
  const signal = AbortSignal.timeout(withinMs)
  const answer = await fetch(url, { method, signal, ...(method === 'POST' && { body: JSON.stringify(body) }) })
  const { value } = await answer.json()
  if (!answer.ok) throw new Error(`${url}: ${value.error}: ${value.message}`)
  return value
}

type Session = { address: string; driver: ChildProcess }

/** On a busy machine browser and driver now and then miss each other at the start; then both are started again. */
async function newSession(path: string, env: NodeJS.ProcessEnv, attempts = 3): Promise<Session> {
  const port = await freePort()
  // A group of its own, so that the browser ends with its driver.
  const driver = spawn(DRIVER, [`--port=${port}`], { env, detached: true, stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  const options = { binary: path, args: ['--automation'] }
  const wanted = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } }
  try {
    await until('the driver answers', () => ask('GET', `${base}/status`))
    const { sessionId } = await ask('POST', `${base}/session`, wanted, START_MS)
    return { address: `${base}/session/${sessionId}`, driver }
  } catch (error) {
    await end(driver)
    if (attempts === 1) throw error
    return newSession(path, env, attempts - 1)
  }
}

async function newTab(path: string, env: NodeJS.ProcessEnv): Promise<Tab> {
  const { address: session, driver } = await newSession(path, env)
  const run: Tab['run'] = async (inPage, ...given) => {
    const script = `const done = arguments[1]
      Promise.resolve(arguments[0]).then((given) => (${inPage.toString()})(...JSON.parse(given)))
        .then((answer) => done(JSON.stringify([answer])), (error) => done(JSON.stringify({ error: String(error) })))`
    const answer = JSON.parse(await ask('POST', `${session}/execute/async`, { script, args: [JSON.stringify(given)] }))
    if (!Array.isArray(answer)) throw new Error(answer.error)
    return answer[0]
  }
  const errors: string[] = []
  const collect = async () => void errors.push(...(await run(takeErrors)))
  return {
    goto: async (url) => {
      await collect()
      await ask('POST', `${session}/url`, { url })
      await run(takeErrors)
    },
    reload: async () => {
      await collect()
      await ask('POST', `${session}/refresh`)
      await run(takeErrors)
    },
    run,
    act: (actions) => ask('POST', `${session}/actions`, { actions }),
    resize: async (width, height) => {
      // What the browser has around the page, its address field, is not counted. A window takes its new size when its
      // screen comes to it, so page and window are looked at again until they agree.
      await until(`a page of ${width} × ${height}`, async () => {
        const [across, down] = await run(() => [window.innerWidth, window.innerHeight] as const)
        if (across === width && down === height) return true
        const around: { width: number; height: number } = await ask('GET', `${session}/window/rect`)
        const rect = { width: around.width + width - across, height: around.height + height - down }
        await ask('POST', `${session}/window/rect`, {
          width: Math.max(1, rect.width),
          height: Math.max(1, rect.height),
        })
        return false
      })
    },
    screenshot: async () => Buffer.from(await ask('GET', `${session}/screenshot`), 'base64'),
    errors: () => errors,
    close: async () => {
      await collect()
      await ask('DELETE', session)
      await end(driver)
    },
  }
}

/**
 * Runs in the page: the errors since the last time. The driver tells nothing of the console, so it is listened to from
 * within, from when a page is first asked.
 */
function takeErrors(): string[] {
  const page: Window & { noted?: string[] } = window
  if (page.noted !== undefined) return page.noted.splice(0)
  const noted: string[] = (page.noted = [])
  const { error } = console
  console.error = (...said) => {
    noted.push(said.map(String).join(' '))
    error.apply(console, said)
  }
  page.addEventListener('error', (event) => noted.push(event.message))
  page.addEventListener('unhandledrejection', (event) => noted.push(String(event.reason)))
  document.addEventListener('securitypolicyviolation', (event) =>
    noted.push(`${event.violatedDirective}: ${event.blockedURI}`),
  )
  return []
}
