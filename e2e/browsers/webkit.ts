import { expect } from '@playwright/test'
import { WEBKIT_DRIVER } from './engines'
import type { TabLocator, Name, Role, Tab } from './tab'

/** WebDriver’s codes of keys without a character. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
}

/** Elements with an implicit role. */
const NATIVE: Partial<Record<Role, string>> = {
  button: 'button:not([role])',
  combobox: 'select',
  dialog: 'dialog[open]',
  heading: 'h1, h2, h3',
  radio: 'input[type=radio]',
  region: 'section',
  searchbox: 'input[type=search]',
  textbox: 'input:is([type=text], [type=email]):not([role])',
}

/** A WebDriver element; in a script it is the element itself. */
type Reference = { [key: string]: string }
type Run = <Answer>(inPage: (...given: never[]) => Answer, ...given: unknown[]) => Promise<Awaited<Answer>>
type Send = <Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>

/** A fresh WebKitGTK over WebDriver: Debian's driver has no WebDriver BiDi. */
export async function openWebKit(origin: string) {
  const { sessionId } = await callDriver<{ sessionId: string }>('POST', '', { capabilities: {} })
  const send: Send = (method, path, body) => callDriver(method, `/${sessionId}${path}`, body)
  const run: Run = (inPage, ...args) =>
    send('POST', '/execute/sync', { script: `return (${inPage.toString()})(...arguments)`, args })
  const tab: Tab = {
    goto: (path) => send('POST', '/url', { url: origin + path }),
    reload: () => send('POST', '/refresh', {}),
    url: () => send<string>('GET', '/url'),
    evaluate: run,
    waitForFunction: (inPage) => retry(async () => expect(await run(inPage)).toBeTruthy()),
    getByRole: (role, name) => createLocator({ send, run, role, name }),
    keyboard: {
      press: (keys) => type(send, [keys.split(/\+(?=.)/).map((key) => KEYS[key] ?? key)]),
      type: (text) =>
        type(
          send,
          Array.from(text, (sign) => [sign]),
        ),
    },
    setViewportSize: (size) => resize(send, run, size),
  }
  return { tab, close: () => send('DELETE', '') }
}

async function callDriver<Answer>(method: string, path: string, body = {}): Promise<Answer> {
  const given = method === 'POST' ? { body: JSON.stringify(body) } : {}
  const answer = await fetch(`${WEBKIT_DRIVER}/session${path}`, {
    method,
    signal: AbortSignal.timeout(60_000),
    ...given,
  })
  const { value } = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
  return value
}

async function retry<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const answers: Answer[] = []
  await expect(async () => void answers.push(await work())).toPass({ timeout: 25_000, intervals: [50] })
  return answers[0] as Answer
}

type LocatorOptions = {
  send: Send
  run: Run
  role: Role
  name?: Name | undefined
  within?: () => Promise<Reference[]>
  isFirst?: boolean
}

/** Visible elements by role and by the browser's own accessible name. */
function createLocator(options: LocatorOptions): TabLocator {
  const { send, run, role, name: called, within = async () => [null], isFirst = false } = options
  const nameOf = (element: Reference) =>
    send<string>('GET', `/element/${Object.values(element)[0]}/computedlabel`).catch(() => null)
  const all = async () => {
    const selector = [`[role=${role}]`, NATIVE[role]].filter(Boolean).join(', ')
    const seen = await run(findVisible, selector, ...(await within()))
    if (called === undefined) return seen
    const names = await Promise.all(seen.map(nameOf))
    const { name } = called
    return seen.filter((_, place) => (typeof name === 'string' ? names[place] === name : name.test(names[place] ?? '')))
  }
  const on = <Answer>(work: (element: Reference) => Promise<Answer>) =>
    retry(async () => {
      const [element, ...others] = await all()
      if (element === undefined || (others.length > 0 && !isFirst))
        throw new Error(`${element === undefined ? 'no' : 'more than one'} ${role} ${String(called?.name ?? '')}`)
      return work(element)
    })
  return {
    getByRole: (inner, name) => createLocator({ send, run, role: inner, name, within: all }),
    first: () => createLocator({ ...options, isFirst: true }),
    count: () => retry(async () => (await all()).length),
    click: () =>
      on(async (element) => {
        const place = await run(placeAtRest, element)
        await send('POST', `/element/${Object.values(place)[0]}/click`)
      }),
    innerText: () => on((element) => run((it: HTMLElement) => it.innerText, element)),
    inputValue: () => on((element) => run((it: HTMLInputElement) => it.value, element)),
    isChecked: () => on((element) => run((it: HTMLInputElement) => it.checked, element)),
    selectOption: (value) => on((element) => run(choose, element, value)),
  }
}

/** Runs in the page. */
function findVisible(selector: string, ...roots: (ParentNode | null)[]): Reference[] {
  const elements = roots.flatMap((root) => [...(root ?? document).querySelectorAll(selector)])
  return elements.filter((element) => element.checkVisibility({ visibilityProperty: true })) as unknown as Reference[]
}

/** Runs in the page: the element, or the label of a choice, once it no longer moves. */
async function placeAtRest(element: HTMLInputElement): Promise<Reference> {
  const place = element.type === 'radio' ? (element.labels?.[0] ?? element) : element
  const top = () => place.getBoundingClientRect().top
  let before = Number.NaN
  while (before !== top()) {
    before = top()
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  return place as unknown as Reference
}

/** Runs in the page: the list of a select is outside of it. */
function choose(field: HTMLSelectElement, value: string): void {
  field.value = value
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Keys of a group are held together. */
function type(send: Send, groups: string[][]): Promise<void> {
  const actions = groups.flatMap((keys) => [
    ...keys.map((value) => ({ type: 'keyDown', value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
  ])
  return send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
}

/** Sets the size of the page, not of the window, and tries until the window has it. */
function resize(send: Send, run: Run, { width, height }: { width: number; height: number }): Promise<void> {
  return retry(async () => {
    const page = await run(() => ({ width: window.innerWidth, height: window.innerHeight }))
    if (page.width === width && page.height === height) return
    const around = await send<typeof page>('GET', '/window/rect')
    const wanted = { width: around.width + width - page.width, height: around.height + height - page.height }
    await send('POST', '/window/rect', { width: Math.max(1, wanted.width), height: Math.max(1, wanted.height) })
    throw new Error(`the page is ${page.width} × ${page.height}`)
  })
}
