import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { defaultCohort, periodOf } from '@/lib/interest/cohort'
import { addDays } from '@/lib/time/stockholm'
import { type IsHoliday, workingDaysAfter } from '@/lib/time/working-days'
import type { Db } from '@/server/db/database'
import { replyTemplates } from '@/server/db/schema'
import { readSetting, writeSetting } from '@/server/settings/settings'
import { addressName, AWAY, INVENTED, leaveOf, type Staff } from './colleagues'

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
  const year = periodOf('admission-year', { cohort: defaultCohort(today, cycle), cycle, today }).from ?? today
  const lately = addDays(today, -LEAST_DAYS)
  const begun = year < lately ? year : lately
  const turns = schools[1] ?? schools[0]
  const addressOf = (school: string) => `antagning@${addressName(school, '-').slice(0, 40) || 'skolan'}.example`
  return {
    work: { from: notBefore !== null && notBefore > begun ? notBefore : begun },
    goals: { 'asked-question': 2, 'declaration-of-interest': null },
    calendar: [
      { day: workingDaysAfter(addDays(today, 6), 1, isHoliday), name: 'Öppet hus' },
      { day: workingDaysAfter(addDays(today, 23), 1, isHoliday), name: 'Prova på-dag' },
    ],
    standing: turns === undefined ? {} : { [turns]: staff.of(turns).map(({ id }) => id) },
    leave: { [AWAY]: leaveOf(today).back },
    replyTo: Object.fromEntries(schools.slice(0, 5).map((school) => [school, addressOf(school)])),
  }
}

/** Writes each setting that nobody has changed since it was written here the last time. */
export async function writeDemoSettings(db: Db, settings: WorkSettings, now: number): Promise<void> {
  const before = await readSetting(db, WRITTEN)
  const known = new Map<string, unknown>(Object.entries(before ?? {}))
  for (const [name, value] of Object.entries(settings)) {
    const stored = await readSetting(db, `work.${name}`)
    const isOurs = stored === null || isDeepStrictEqual(stored, known.get(name))
    if (isOurs) await writeSetting(db, `work.${name}`, value, now)
  }
  await writeSetting(db, WRITTEN, settings, now)
}

const TEMPLATES = [
  {
    language: 'sv' as const,
    name: 'Vi har sökt dig på telefon',
    subject: 'Vi har försökt nå dig',
    text: 'Du bad oss ringa, men vi har inte lyckats nå dig. Svara gärna med en tid som passar, så ringer vi då.',
  },
  {
    language: 'sv' as const,
    name: 'Antagning och poäng',
    subject: 'Om antagningen till {school}',
    text: `Ansökan är öppen från den 15 januari till den 15 februari, och du får ett preliminärt besked i april. Poängen ändras från år till år efter hur många som söker, så förra årets gräns är bara en fingervisning.

Hör gärna av dig om du undrar över något mer.`,
  },
  {
    language: 'en' as const,
    name: 'We tried to call you',
    subject: 'We tried to reach you',
    text: 'You asked us to call, but we have not been able to reach you. Please reply with a time that suits you, and we will call then.',
  },
]
const LETTERS = {
  sv: (text: string) => `Hej {firstName}!\n\n${text}\n\nVänliga hälsningar\n{school}`,
  en: (text: string) => `Hi {firstName},\n\n${text}\n\nKind regards,\n{school}`,
}

/** Beside those that every installation begins with. */
export async function ensureDemoTemplates(db: Db, now: number): Promise<void> {
  const rows = TEMPLATES.map(({ text, ...one }, place) => ({
    ...one,
    body: LETTERS[one.language](text),
    id: `${INVENTED}template-${place + 1}`,
    updatedAt: new Date(now),
  }))
  await db.insert(replyTemplates).values(rows).onConflictDoNothing()
}
