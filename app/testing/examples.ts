import type { EndpointName } from '@/lib/contract/endpoints'
import type { Row } from './route-table'

/** Permitted callers get 200 (or `gets`). With `ofSchool` other callers who may read leads get 404. */
export type Example = Partial<Pick<Row, 'who' | 'nobody' | 'foreign' | 'ask'>> & { gets?: number; ofSchool?: true }

const declarations = 'declarations-of-interest'
const id = (value: string) => () => ({ params: { id: value } })
const body = (value: unknown) => () => ({ body: value })
const template = { language: 'sv', name: 'Svar', subject: 'Hej', body: 'Hej {firstName}!' }
const unsigned = { nobody: 401, who: [401, 401, 401, 401, 200] } as const

const aLead: Example = { ofSchool: true, ask: ({ lead }) => ({ query: { ...lead } }) }
const aUser = (more = {}): Example => ({ ask: async ({ user }) => ({ params: { id: await user() }, ...more }) })

export const examples: { readonly [Name in EndpointName]?: Example } = {
  'GET /api/queues/[name]': { ask: () => ({ params: { name: 'waiting' } }) },
  'POST /api/list-counts': { ask: body({ matching: { list: declarations } }) },
  'GET /api/contacts/[id]': { ofSchool: true, ask: ({ contact }) => ({ params: { id: contact } }) },
  'GET /api/high-schools/[id]': { ofSchool: true, ask: ({ school }) => ({ params: { id: school } }) },

  'PATCH /api/triage': { ofSchool: true, ask: ({ lead }) => ({ body: { leads: [lead], status: 'in-progress' } }) },
  'POST /api/triage/undo': { gets: 400, ask: body({ undo: 'made-up' }) },
  'POST /api/attempts': {
    ofSchool: true,
    ask: ({ lead }) => ({ body: { ...lead, channel: 'phone', outcome: 'no-answer' } }),
  },
  // No mail can be sent here.
  'POST /api/replies': { gets: 503, ask: ({ lead }) => ({ body: { ...lead, subject: 's', body: 'b' } }) },
  'GET /api/notes': aLead,
  'GET /api/lead-history': aLead,
  'POST /api/notes': { ofSchool: true, ask: ({ lead }) => ({ body: { ...lead, text: 'Ringde' } }) },
  'DELETE /api/notes/[id]': {
    ofSchool: true,
    ask: async ({ lead, asStaff }) => ({
      params: { id: await asStaff('POST /api/notes', { body: { ...lead, text: 'Ringde' } }) },
    }),
  },
  'POST /api/presence': { ofSchool: true, ask: ({ lead }) => ({ body: { tab: crypto.randomUUID(), lead } }) },

  'POST /api/views': { ask: body({ list: declarations, name: 'Nya', query: {}, shared: false }) },
  'DELETE /api/views/[id]': {
    ofSchool: true,
    ask: async ({ asStaff }) => ({
      params: {
        id: await asStaff('POST /api/views', { body: { list: declarations, name: 'Mina', query: {}, shared: false } }),
      },
    }),
  },
  'POST /api/templates': { ask: body({ ...template, isOwn: true }) },
  'PUT /api/templates/[id]': { gets: 404, ask: () => ({ params: { id: 'x' }, body: template }) },
  'DELETE /api/templates/[id]': { gets: 404, ask: () => ({ params: { id: 'x' } }) },
  'GET /api/preferences/[name]': { ask: () => ({ params: { name: 'minors' } }) },
  'PUT /api/preferences/[name]': { ask: () => ({ params: { name: 'minors' }, body: { value: { season: 2026 } } }) },

  'POST /api/exports': {
    ofSchool: true,
    ask: ({ lead }) => ({ body: { list: declarations, leads: [lead], format: 'csv', purpose: 'Öppet hus' } }),
  },
  'POST /api/exports/preview': { ask: ({ lead }) => ({ body: { list: declarations, leads: [lead], format: 'csv' } }) },
  'PUT /api/admission-cycle': {
    ask: body({
      applicationOpens: '01-15',
      applicationCloses: '02-15',
      preliminary: '04-15',
      changePeriodEnds: '05-15',
      final: '07-01',
      reservesEnd: '09-15',
    }),
  },

  'DELETE /api/account/sessions': { ask: () => ({ query: { keep: 'current' } }) },
  'DELETE /api/account/sessions/[id]': { gets: 404, ask: id('x') },
  'POST /api/account/password': { gets: 403, ask: body({ current: 'wrong', password: 'as good as any 7' }) },
  'POST /api/account/proof': { ask: ({ password }) => ({ body: { password } }) },
  'DELETE /api/account/second-factors/[id]': { gets: 404, ask: id('x') },
  'POST /api/account/second-factors/totp': { ask: body({ name: 'Telefonen' }) },
  'POST /api/account/second-factors/totp/confirm': { gets: 400, ask: body({ id: 'x', code: '000000' }) },
  'POST /api/account/recovery-codes': { gets: 409 },
  'POST /api/invitations': { gets: 404, ask: body({ token: 't', password: 'as good as any 7' }) },

  'PATCH /api/settings': { ask: body({ goals: { 'asked-question': 2, 'declaration-of-interest': null } }) },
  'POST /api/users': {
    ask: () => ({ body: { email: `${crypto.randomUUID()}@skola.example`, name: 'Ny', role: 'staff', schools: [] } }),
  },
  'PATCH /api/users/[id]': aUser({ body: { disabled: true } }),
  'POST /api/users/[id]/invitation': aUser(),
  'DELETE /api/users/[id]/second-factors': aUser(),
  'DELETE /api/users/[id]/sessions': aUser(),
  'PUT /api/sign-in-rules': { ask: body({ secondFactorFor: [] }) },
  'GET /api/contacts/[id]/rights': { ask: ({ other }) => ({ params: { id: other.contact } }) },
  'POST /api/contacts/[id]/extract': {
    ask: ({ other }) => ({ params: { id: other.contact }, body: { leads: [other.lead] } }),
  },
  'POST /api/contacts/[id]/erasure': {
    ask: ({ other }) => ({ params: { id: other.contact }, body: { leads: [other.lead], confirm: 'erase' } }),
  },
  'POST /api/protections': {
    ask: async ({ protection, newProtection, asAdmin }) => {
      await asAdmin('DELETE /api/protections/[id]', { params: { id: await protection() } })
      return { body: await newProtection() }
    },
  },
  'PATCH /api/protections/[id]': {
    ask: async ({ protection, admin }) => ({ params: { id: await protection() }, body: { people: [admin] } }),
  },
  'DELETE /api/protections/[id]': { ask: async ({ protection }) => ({ params: { id: await protection() } }) },
  'POST /api/status/mail': { gets: 503 },
  'POST /api/purge-holds': { gets: 404, ask: body({ list: declarations }) },

  'GET /api/metrics': unsigned,
  'GET /api/auth/[...nextauth]': { ask: () => ({ params: { nextauth: ['csrf'] } }) },
  'POST /api/auth/[...nextauth]': {
    gets: 302,
    foreign: 'needs-none',
    ask: () => ({ params: { nextauth: ['callback', 'credentials'] } }),
  },
}
