import type { Page } from '@playwright/test'
import { daysAgo, expect, joinAsNew } from './fixtures'
import { openList, openRow } from './leads'

export const OPEN = `/questions?status=new&mode=email&to=${daysAgo(40)}`

/** Decided rows stay in place: each test has a row of its own. */
const ALL = `/questions?mode=email&to=${daysAgo(40)}`

export const composer = (page: Page) => page.getByRole('region', { name: 'Svar', exact: true })
export const body = (page: Page) => composer(page).getByRole('textbox', { name: 'Svar' })

/** With greeting and closing in the language of the question. */
export const framed = (text: string) =>
  new RegExp(
    `^(?:Hej[^\\n]*!\\n\\n${text}\\n\\nVänliga hälsningar|Hi[^\\n]*,\\n\\n${text}\\n\\nKind regards,)\\nEva Ek, `,
  )

/** A new user at the list of open questions. */
export async function openAsNewUser(page: Page, path = OPEN): Promise<void> {
  await joinAsNew(page)
  await openList(page, path)
}

export async function openReply(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('r')
  await expect(body(page)).toBeFocused()
  await page.keyboard.type(text)
}

export async function writeAsNewUser(page: Page, place: number, text: string, path = ALL): Promise<string> {
  await joinAsNew(page)
  return writeReply(page, place, text, path)
}

export async function writeReply(page: Page, place: number, text: string, path = ALL): Promise<string> {
  const id = await openRow(page, path, place)
  await openReply(page, text)
  return id
}

/** Once it is known how the school mails. */
export async function pressSend(page: Page): Promise<void> {
  await expect(composer(page).locator('[aria-keyshortcuts^="Control+Enter"]')).toBeEnabled()
  await page.keyboard.press('Control+Enter')
}

/** The menu of whoever is signed in. */
export async function fromAccountMenu(page: Page, name: string): Promise<void> {
  await page.locator('[aria-haspopup=menu]:has([data-initials])').filter({ visible: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

export const signOut = (page: Page) => fromAccountMenu(page, 'Logga ut')

export const keptReplies = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('intag:reply:')).length)

/** The question in place of the composer's foot, once a mail was opened outside Intag. */
export const wasItSent = (page: Page) => composer(page).getByRole('group', { name: 'Skickade du svaret?' })

export async function saySent(page: Page): Promise<void> {
  await wasItSent(page).getByRole('button', { name: 'Ja' }).click()
  await expect(page.getByText(/^Noterat: du har mejlat /)).toBeVisible()
}
