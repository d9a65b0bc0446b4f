import { afterAll, expect, test } from 'vitest'
import { allow } from '@/server/access/viewer'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { addTemplate, changeTemplate, deleteTemplate, listTemplates } from './reply-templates'

const template = { language: 'sv', name: 'Hej', subject: 'Hej {firstName}', body: 'Från {school}' } as const

const desk = await openTestDesk()
afterAll(() => desk.close())

test('administrators write templates, those who read leads use them', async () => {
  const { parts } = desk
  const sara = await desk.person('sara', 'staff', ['norra', 'sodra'])
  const anna = await desk.person('anna', 'admin', 'all')
  const made = await addTemplate(parts, anna, template)
  const changed = await changeTemplate(parts, anna, { ...template, id: made.id, language: 'en', name: 'Hi' })
  await addTemplate(parts, anna, template)
  const seen = await listTemplates(parts, allow(sara, 'leads:read'))
  expect(seen.templates.map(({ name }) => name)).toEqual(['Hej', 'Hi'])
  expect(changed).toEqual({ ...template, language: 'en', name: 'Hi', id: made.id })
  await deleteTemplate(parts, anna, { id: made.id })
  await expect(deleteTemplate(parts, anna, { id: made.id })).rejects.toThrow(NotFoundError)
  await expect(changeTemplate(parts, anna, { ...template, id: made.id })).rejects.toThrow(NotFoundError)
  for (const refused of [addTemplate(parts, sara, template), deleteTemplate(parts, sara, { id: 'x' })])
    await expect(refused).rejects.toThrow(ForbiddenError)
})
