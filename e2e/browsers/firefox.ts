import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Tab } from './browser'

const INSTALLED = [
  '/usr/bin/firefox-esr',
  '/opt/firefox/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** A font was still on its way when the page was left, which Firefox calls an error: NS_BINDING_ABORTED. */
const LEFT = /^downloadable font: download failed .*status=2152398850/

/** The path of a Firefox as it is sold, if there is one. */
export function findFirefox(): string | undefined {
  return [process.env.FIREFOX_PATH ?? '', ...INSTALLED].find((path) => existsSync(path))
}

/** Starts a Firefox with an empty profile. It speaks WebDriver BiDi by itself, without a driver between. */
export async function startFirefox(path: string): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'intag-firefox-'))
  const downloads = join(folder, 'downloads')
  mkdirSync(downloads)
  writeFileSync(join(folder, 'user.js'), preferences(downloads))
  const firefox = spawn(path, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', folder], {
    env: { ...process.env, HOME: folder, TZ: 'Europe/Stockholm' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const protocol = await connect(`${await address(firefox)}/session`)
  await protocol.send('session.new', { capabilities: {} })
  await protocol.send('session.subscribe', { events: ['log.entryAdded'] })
  return {
    newTab: () => newTab(protocol),
    downloads,
    close: async () => {
      const ended = new Promise((resolve) => firefox.once('exit', resolve))
      await protocol.send('browser.close').catch(() => firefox.kill('SIGKILL'))
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function preferences(downloads: string): string {
  const settings = {
    'intl.accept_languages': 'sv-SE, sv',
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.always_ask_before_handling_new_types': false,
  }
  return Object.entries(settings)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('')
}

function address(firefox: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    firefox.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, found] = /BiDi listening on (ws:\S+)/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
    firefox.once('error', reject)
    firefox.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${said}`)))
  })
}

type Message = {
  id?: number
  type: 'success' | 'error' | 'event'
  result?: unknown
  error?: string
  message?: string
  method?: string
  params?: unknown
}
type LogEntry = { level: string; text: string | null; source: { context?: string } }
type Protocol = {
  send: <Result = unknown>(method: string, params?: object) => Promise<Result>
  /** The errors that were logged in a tab. */
  errorsIn: (context: string) => string[]
}

async function connect(url: string): Promise<Protocol> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (message: Message) => void>()
  const entries: LogEntry[] = []
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data))
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (message.method === 'log.entryAdded') entries.push(message.params as LogEntry)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`Nobody answers at ${url}`)))
  })
  let sent = 0
  return {
    send: <Result>(method: string, params: object = {}) =>
      new Promise<Result>((resolve, reject) => {
        const id = ++sent
        waiting.set(id, ({ type, result, error, message }) => {
          waiting.delete(id)
          if (type === 'success') resolve(result as Result)
          else reject(new Error(`${method}: ${error}: ${message}`))
        })
        socket.send(JSON.stringify({ id, method, params }))
      }),
    errorsIn: (context) =>
      entries
        .filter(({ level, source }) => level === 'error' && source.context === context)
        .filter(({ text }) => !LEFT.test(text ?? ''))
        .map(({ text }) => text ?? 'an error without words'),
  }
}

/** What `script.callFunction` answers, as far as it is read here: a page always answers with a string. */
type Called = { result?: { value: string }; exceptionDetails?: { text: string } }

async function newTab({ send, errorsIn }: Protocol): Promise<Tab> {
  const { userContext } = await send<{ userContext: string }>('browser.createUserContext')
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab', userContext })
  return {
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
    run: async (inPage, ...given) => {
      const { result, exceptionDetails } = await send<Called>('script.callFunction', {
        functionDeclaration: `async (given) => JSON.stringify([await (${inPage.toString()})(...JSON.parse(given))])`,
        arguments: [{ type: 'string', value: JSON.stringify(given) }],
        awaitPromise: true,
        target: { context },
      })
      if (result === undefined) throw new Error(exceptionDetails?.text)
      return JSON.parse(result.value)[0]
    },
    act: async (actions) => void (await send('input.performActions', { context, actions })),
    resize: async (width, height) =>
      void (await send('browsingContext.setViewport', { context, viewport: { width, height } })),
    screenshot: async () =>
      Buffer.from((await send<{ data: string }>('browsingContext.captureScreenshot', { context })).data, 'base64'),
    errors: () => errorsIn(context),
    close: async () => void (await send('browser.removeUserContext', { userContext })),
  }
}
