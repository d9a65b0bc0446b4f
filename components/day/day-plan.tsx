import { useTranslations } from 'next-intl'
import { useToday } from '@/components/app/clock'
import { useFirstOfQueue } from '@/components/app/first-of-queue'
import { DeskLink } from '@/components/app/navigate'
import { QueuesNav } from '@/components/app/queues-nav'
import { useSchoolNames } from '@/components/app/schools'
import { buttonClass } from '@/components/ui/button-class'
import { Kbd } from '@/components/ui/kbd'
import type { Day, OldestLate } from '@/lib/contract/day'
import { type MenuQueue, toLeadHref, toQueueHref } from '@/lib/inbox/queues'
import { countDaysSince } from '@/lib/time/stockholm'

type DayPlanProps = { firstQueue: MenuQueue; day: Day; schools: readonly string[] }

/** Shows where to begin, and the counts that the side menu lacks. Without that menu it lists the queues, too. */
export function DayPlan({ firstQueue, day, schools }: DayPlanProps) {
  const t = useTranslations('day')
  const { href, leadLabel } = useFirstOfQueue(firstQueue, schools)
  const [newestMention] = day.mentioned
  const links = [
    { name: 'dueToday', linkHref: toQueueHref('dueToday', schools) },
    { name: 'mentions', linkHref: newestMention ? toLeadHref(newestMention) : null },
    { name: 'snoozed', linkHref: toQueueHref('snoozed', schools) },
  ] as const
  return (
    <div className="card">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4.5">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="text-lg font-semibold">{t('plan.first', { queue: t(`finished.these.${firstQueue}`) })}</h2>
          <p className="min-h-6 text-sm text-pretty wrap-anywhere text-mute">
            {leadLabel !== null && <span>{t('finished.first', { who: leadLabel })} </span>}
            <span>{t('plan.then')}</span>
          </p>
        </div>
        <DeskLink href={href} data-day-line="begin" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          {t('plan.begin')}
          <Kbd inverted>↵</Kbd>
        </DeskLink>
      </div>
      <div className="border-t border-line-soft px-2.5 py-2 wide:hidden">
        <QueuesNav />
      </div>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line-soft px-5 py-2 text-sm text-mute empty:hidden">
        {day.oldest !== null && <OldestLead oldest={day.oldest} href={toQueueHref('late', schools)} />}
        {links.map(
          ({ name, linkHref }) =>
            linkHref !== null &&
            day[name] > 0 && (
              <li key={name}>
                <DeskLink href={linkHref} data-day-line={name} className="text-link hover:text-ink">
                  {t(`plan.${name}`, { count: day[name] })}
                </DeskLink>
              </li>
            ),
        )}
      </ul>
    </div>
  )
}

function OldestLead({ oldest, href }: { oldest: OldestLate; href: string }) {
  const t = useTranslations('day')
  const school = useSchoolNames().nameById(oldest.school)
  const days = countDaysSince(oldest.waitingSince, useToday())
  const leadName = t(oldest.list === 'asked-questions' ? 'oldestQuestion' : 'oldestDeclaration', { school })
  return (
    <li className="basis-full">
      <DeskLink href={href} data-day-line="oldest" className="text-link wrap-anywhere text-late">
        {t('oldest', { days, who: oldest.name === null ? leadName : `${oldest.name}, ${leadName}` })}
      </DeskLink>
    </li>
  )
}
