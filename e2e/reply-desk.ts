import type { Page } from '@playwright/test'
import { daysAgo, expect, newPerson, open, signIn } from './fixtures'
import { openRow, rows } from './leads'

const OPEN = `/questions?status=new&mode=email&to=${daysAgo(40)}`

/** Rows stay where they are, whatever is decided: each test takes a place that no other has. */
const ALL = `/questions?mode=email&to=${daysAgo(40)}`

export const composer = (page: Page) => page.getByRole('region', { name: 'Svar', exact: true })
export const body = (page: Page) => composer(page).getByRole('textbox', { name: 'Svar' })

/** The text between a greeting and a closing in the language of the question, whichever that is. */
export const framed = (text: string) =>
  new RegExp(
    `^(?:Hej[^\\n]*!\\n\\n${text}\\n\\nVänliga hälsningar|Hi[^\\n]*,\\n\\n${text}\\n\\nKind regards,)\\nEva Ek, `,
  )

/** Somebody new, with the list of open questions before them. */
export async function comes(page: Page, path = OPEN): Promise<void> {
  await signIn(page.request, await newPerson(page.request))
  await open(page, path)
  await expect(rows(page).first()).toBeVisible()
}

/** Opens the answer to the open lead, or the first, by its key. */
export async function answers(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('r')
  await expect(body(page)).toBeFocused()
  await page.keyboard.type(text)
}

/** Text in the reply to the lead in this row. */
export async function writes(page: Page, place: number, text: string, path = ALL): Promise<string> {
  const id = await openRow(page, path, place)
  await answers(page, text)
  return id
}

export async function signsOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Eva Ek/ }).click()
  await page.getByRole('menuitem', { name: 'Logga ut' }).click()
}

export const keptReplies = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('intag:reply:')).length)
