import { expectTypeOf, test } from 'vitest'
import type { Endpoints } from '@/lib/contract/endpoints'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import type { Verb } from './verb'

type Asked<Who> = (parts: Services, viewer: Who) => Response

test('the compiler lets a verb stand only behind the permission that it asks for, or one that includes it', () => {
  type List = Verb<Endpoints['GET /api/notes']>
  expectTypeOf<Asked<Allowed<'leads:read'>>>().toExtend<List>()
  expectTypeOf<Asked<Allowed<'interest:read'>>>().toExtend<List>()
  expectTypeOf<Asked<Allowed<'leads:triage'>>>().not.toExtend<List>()
  expectTypeOf<Asked<Viewer>>().not.toExtend<Verb<Endpoints['POST /api/invitations']>>()
})
