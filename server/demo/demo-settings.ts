import 'server-only'
import type { NewTemplate } from '@/lib/contract/reply-template'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { defaultCohort, periodOf } from '@/lib/interest/cohort'
import { addDays } from '@/lib/time/stockholm'
import { type IsHoliday, workingDaysAfter } from '@/lib/time/working-days'
import type { Db } from '@/server/db/database'
import { replyTemplates } from '@/server/db/schema'
import { readSetting, writeSetting } from '@/server/settings/settings'
import { INVENTED, leaveOf, type Staff } from './colleagues'

const WRITTEN = 'demo-past'

type Given = {
  staff: Staff
  schools: readonly string[]
  today: string
  cycle: AdmissionCycle
  isHoliday: IsHoliday
  /** The day before which the past is not written; null where all of it is. */
  notBefore: string | null
}

/** Just after a cohort's end nobody would be late, due or back yet; in so many days the smallest demo has some of each. */
const LEAST_DAYS = 60

/** The settings of a school group in the middle of its year: dates are ahead, somebody is away, one school has its turns. */
export function demoSettings({ staff, schools, today, cycle, isHoliday, notBefore }: Given): WorkSettings {
  const [first = '', second] = schools
  const year = periodOf('admission-year', { cohort: defaultCohort(today, cycle), cycle, today }).from ?? today
  const lately = addDays(today, -LEAST_DAYS)
  const begun = year < lately ? year : lately
  const turns = second ?? first
  return {
    work: { from: notBefore !== null && notBefore > begun ? notBefore : begun },
    goals: { 'asked-question': 2, 'declaration-of-interest': null },
    calendar: [
      { day: workingDaysAfter(addDays(today, 6), 1, isHoliday), name: 'Öppet hus' },
      { day: workingDaysAfter(addDays(today, 23), 1, isHoliday), name: 'Prova på-dag' },
    ],
    standing: turns === '' ? {} : { [turns]: staff.of(turns).map(({ id }) => id) },
    leave: { [staff.away.id]: leaveOf(today).back },
    replyTo: Object.fromEntries(schools.slice(0, 5).map((school) => [school, addressOf(school)])),
  }
}

function addressOf(school: string): string {
  const name = school
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `antagning@${name.slice(0, 40) || 'skolan'}.example`
}

/** Writes each setting that nobody has changed since it was written here the last time. */
export async function writeDemoSettings(db: Db, settings: WorkSettings, now: number): Promise<void> {
  const before = await readSetting(db, WRITTEN)
  const known = new Map(Object.entries(before !== null && typeof before === 'object' ? before : {}))
  for (const [name, value] of Object.entries(settings)) {
    const stored = await readSetting(db, `work.${name}`)
    const isOurs = stored === null || inOrder(stored) === inOrder(known.get(name))
    if (isOurs) await writeSetting(db, `work.${name}`, value, now)
  }
  await writeSetting(db, WRITTEN, settings, now)
}

/** JSON that does not depend on the order of keys, which the database does not keep. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

const TEMPLATES: readonly NewTemplate[] = [
  {
    language: 'sv',
    name: 'Vi har sökt dig på telefon',
    subject: 'Vi har försökt nå dig',
    body: `Hej {firstName}!

Du bad oss ringa, men vi har inte lyckats nå dig. Svara gärna med en tid som passar, så ringer vi då.

Vänliga hälsningar
{school}`,
  },
  {
    language: 'sv',
    name: 'Antagning och poäng',
    subject: 'Om antagningen till {school}',
    body: `Hej {firstName}!

Ansökan är öppen från den 15 januari till den 15 februari, och du får ett preliminärt besked i april. Poängen ändras från år till år efter hur många som söker, så förra årets gräns är bara en fingervisning.

Hör gärna av dig om du undrar över något mer.

Vänliga hälsningar
{school}`,
  },
  {
    language: 'en',
    name: 'We tried to call you',
    subject: 'We tried to reach you',
    body: `Hi {firstName},

You asked us to call, but we have not been able to reach you. Please reply with a time that suits you, and we will call then.

Kind regards,
{school}`,
  },
]

/** Beside those that every installation begins with. */
export async function ensureDemoTemplates(db: Db, now: number): Promise<void> {
  const updatedAt = new Date(now)
  const rows = TEMPLATES.map((one, place) => ({ ...one, id: `${INVENTED}template-${place + 1}`, updatedAt }))
  await db.insert(replyTemplates).values(rows).onConflictDoNothing()
}
