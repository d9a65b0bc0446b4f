import { FEED_LISTS } from '@/lib/contract/lists'
import type { Finding } from '@/lib/contract/service-report'
import { LOCALES } from '@/lib/i18n/locale'
import { listUsers } from '@/server/access/manage-users'
import { getSignInRules } from '@/server/access/sign-in-rules'
import type { Admin } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { readKnownSchools } from '@/server/feed/feed'
import { getWorkSettings } from '@/server/leads/work-settings'
import { listPurgeHolds } from '@/server/privacy/purge-holds'
import { listTemplates } from '@/server/replies/reply-templates'
import { readServiceReport } from './status'

/** Lists what administrators should see to: what fails, and settings that Intag lacks. */
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
  const { hasPasswordSignIn } = services.env
  return { report, holds, users, rules, settings, templates, schoolIds, hasPasswordSignIn }
}

/** The order is that of urgency: what fails, and then what is incomplete. */
export function selectFindings(facts: Awaited<ReturnType<typeof readFacts>>): Finding[] {
  const { report, holds, users, rules, settings, templates, schoolIds, hasPasswordSignIn } = facts
  const { status, signOn, mail } = report
  const activeUsers = users.filter(({ disabled }) => !disabled)
  const unreadableCount = FEED_LISTS.reduce((sum, list) => sum + (status.lists[list]?.unreadable ?? 0), 0)
  // Managers see no leads in any school.
  const usersWithoutSchools = activeUsers.filter(({ role, schools }) => role !== 'manager' && schools.length === 0)
  const invitedCount = activeUsers.filter(({ pending }) => pending).length
  const adminCount = activeUsers.filter(({ role, pending }) => role === 'admin' && !pending).length
  const schoolsWithoutReplyTo = schoolIds.filter((id) => settings.replyTo[id] === undefined)
  const sharedLanguages = new Set(templates.filter(({ isOwn }) => !isOwn).map(({ language }) => language))
  const conditions: [boolean, Finding][] = [
    [signOn !== null && signOn.problem !== null, { kind: 'signOn' }],
    [unreadableCount > 0, { kind: 'unreadable', count: unreadableCount }],
    [usersWithoutSchools.length > 0, { kind: 'blind', count: usersWithoutSchools.length }],
    [settings.work === null, { kind: 'workFrom' }],
    [hasPasswordSignIn && !rules.secondFactorFor.includes('admin'), { kind: 'secondFactor' }],
    [adminCount < 2, { kind: 'oneAdmin' }],
    [invitedCount > 0, { kind: 'invited', count: invitedCount }],
    [mail === null, { kind: 'mail' }],
    [mail !== null && schoolsWithoutReplyTo.length > 0, { kind: 'replyTo', count: schoolsWithoutReplyTo.length }],
    [LOCALES.some((language) => !sharedLanguages.has(language)), { kind: 'templates' }],
  ]
  return [
    ...status.problems.map(({ list, isHeldBack }): Finding => ({ kind: isHeldBack ? 'heldBack' : 'failing', list })),
    ...holds.map(({ list }): Finding => ({ kind: 'purge', list })),
    ...conditions.flatMap(([isMet, finding]) => (isMet ? [finding] : [])),
  ]
}
