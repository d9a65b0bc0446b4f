import { parse } from 'csv-parse/sync'
import { downloaded, expect, expectAccessible, headers, nextStart, open, read, test, yesterday } from './fixtures'
import { pressInListHeader } from './leads'

const LIST = 'declarations-of-interest'
const COLUMNS = 'createdAt school firstName lastName email phone year status id highSchoolId'.split(' ')

test.use({ as: 'staff' })

test('a file has the columns and the promised count, and the history says so', { tag: '@full' }, async ({ page }) => {
  const { request } = page
  const value = { columns: COLUMNS, format: 'xlsx' }
  await request.put(`/api/preferences/export.${LIST}`, { headers, data: { value } })

  await open(page, `/declarations?year=${nextStart}&year=${nextStart + 1}&to=${yesterday}`)
  await pressInListHeader(page, 'Exportera')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('CSV', { exact: true }).click()
  await dialog.getByText('10 av 14 kolumner').click()
  await dialog.getByRole('checkbox', { name: 'Skolans id' }).uncheck()
  const button = dialog.getByRole('button', { name: /^Exportera \d/ })
  await button.click()
  await expect(dialog.getByText('Ange varför uppgifterna behövs.')).toBeVisible()
  await dialog.getByLabel('Syfte').selectOption({ label: 'Statistik' })
  await expectAccessible(page)
  const promised = Number((await button.innerText()).replace(/\D/g, ''))
  const { name, text } = await downloaded(page, () => button.click())
  const [header, ...rows] = parse(text, { bom: true, delimiter: ';', record_delimiter: '\r\n' })
  expect(header).toEqual(['Inkom', 'Skola', 'Förnamn', 'Efternamn', 'E-post', 'Telefon', 'Startår', 'Status', 'Id'])
  expect(rows).toHaveLength(promised)
  expect(name).toContain(`-${promised}.csv`)
  await pressInListHeader(page, 'Exportera')
  await expect(dialog.getByLabel('Syfte'), 'the purpose stands there to be confirmed').toHaveValue('statistics')
  const kept = await read(request, `/api/preferences/export.${LIST}`)
  expect(kept.value).toMatchObject({ format: 'csv', columns: COLUMNS.slice(0, -1), purpose: 'statistics' })

  await open(page, '/exports')
  await expectAccessible(page)
  const row = page.getByRole('row', { name: /Statistik/ }).first()
  await expect(row).toContainText('Klar')
  await row.getByRole('link', { name: 'Visa listan' }).click()
  await expect(page).toHaveURL(new RegExp(`/declarations\\?.*year=${nextStart}&year=${nextStart + 1}`))
})
