import { expectTypeOf, test } from 'vitest'
import type { Endpoints } from '@/lib/contract/endpoints'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import type { Verb, Verbs } from './routes'

type Asked<Who> = (parts: Services, viewer: Who) => Response

test('a path has every verb that is declared, and no other', () => {
  expectTypeOf<keyof Verbs<'/api/notes'>>().toEqualTypeOf<'GET' | 'POST'>()
  expectTypeOf<keyof Verbs<'/api/notes/[id]'>>().toEqualTypeOf<'DELETE'>()
})

test('a verb that asks for a permission is behind it, or behind one that includes it', () => {
  type List = Verb<Endpoints['GET /api/notes']>
  expectTypeOf<Asked<Allowed<'leads:read'>>>().toExtend<List>()
  expectTypeOf<Asked<Allowed<'interest:read'>>>().toExtend<List>()
  expectTypeOf<Asked<Allowed<'admin'>>>().not.toExtend<List>()
  expectTypeOf<Asked<Allowed<'leads:triage'>>>().not.toExtend<List>()
  expectTypeOf<Asked<Viewer>>().not.toExtend<Verb<Endpoints['POST /api/invitations']>>()
})

test('a verb takes what is declared, and answers it', () => {
  type Add = Verb<Endpoints['POST /api/notes']>
  expectTypeOf<Parameters<Add>[2]>().toHaveProperty('text').toEqualTypeOf<string>()
  expectTypeOf<(parts: Services, viewer: Viewer, input: { name: string }) => Response>().not.toExtend<Add>()
  expectTypeOf<() => Promise<{ id: string }>>().not.toExtend<Add>()
  expectTypeOf<() => Promise<void>>().toExtend<Verb<Endpoints['DELETE /api/notes/[id]']>>()
})
