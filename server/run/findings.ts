import { FEED_LISTS } from '@/lib/contract/lists'
import type { Finding } from '@/lib/contract/service-report'
import { LOCALES } from '@/lib/i18n/locale'
import { listUsers } from '@/server/access/manage-users'
import { getSignInRules } from '@/server/access/sign-in-rules'
import type { Admin } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { readKnownSchools } from '@/server/feed/feed'
import { getWorkSettings } from '@/server/leads/work'
import { listPurgeHolds } from '@/server/privacy/purge-holds'
import { listTemplates } from '@/server/replies/reply-templates'
import { readServiceReport } from './status'

export async function listFindings(services: Services, viewer: Admin): Promise<Finding[]> {
  return selectFindings(await readFacts(services, viewer))
}

async function readFacts(services: Services, viewer: Admin) {
  const [report, { holds }, { users }, rules, settings, { templates }] = await Promise.all([
    readServiceReport(services, viewer),
    listPurgeHolds(services, viewer),
    listUsers(services, viewer),
    getSignInRules(services, viewer),
    getWorkSettings(services, viewer),
    listTemplates(services, viewer),
  ])
  const schoolIds = readKnownSchools(services).map(({ id }) => id)
  const hasPasswords = services.env.hasPasswordSignIn
  return { report, holds, users, rules, settings, templates, schoolIds, hasPasswords }
}

/** Problems come first, then missing settings. */
export function selectFindings(facts: Awaited<ReturnType<typeof readFacts>>): Finding[] {
  const { report, holds, users, rules, settings, templates, schoolIds, hasPasswords } = facts
  const { status, signOn, mail } = report
  const active = users.filter(({ disabled }) => !disabled)
  const unreadable = FEED_LISTS.reduce((sum, list) => sum + (status.lists[list]?.unreadable ?? 0), 0)
  const blind = active.filter(({ role, schools }) => role !== 'manager' && schools.length === 0).length
  const invited = active.filter(({ pending }) => pending).length
  const adminCount = active.filter(({ role, pending }) => role === 'admin' && !pending).length
  const withoutAddress = schoolIds.filter((id) => settings.replyTo[id] === undefined).length
  const sharedLanguages = new Set(templates.filter(({ isOwn }) => !isOwn).map(({ language }) => language))
  const conditions: [boolean, Finding][] = [
    [signOn !== null && signOn.problem !== null, { kind: 'signOn' }],
    [unreadable > 0, { kind: 'unreadable', count: unreadable }],
    [blind > 0, { kind: 'blind', count: blind }],
    [settings.work === null, { kind: 'workFrom' }],
    [hasPasswords && !rules.secondFactorFor.includes('admin'), { kind: 'secondFactor' }],
    [adminCount < 2, { kind: 'oneAdmin' }],
    [invited > 0, { kind: 'invited', count: invited }],
    [mail === null, { kind: 'mail' }],
    [mail !== null && withoutAddress > 0, { kind: 'replyTo', count: withoutAddress }],
    [LOCALES.some((language) => !sharedLanguages.has(language)), { kind: 'templates' }],
  ]
  return [
    ...status.problems.map(({ list, isHeldBack }): Finding => ({ kind: isHeldBack ? 'heldBack' : 'failing', list })),
    ...holds.map(({ list }): Finding => ({ kind: 'purge', list })),
    ...conditions.flatMap(([isMet, finding]) => (isMet ? [finding] : [])),
  ]
}
