import { useTranslations } from 'next-intl'
import { useCommands } from '@/components/app/commands'
import { useFirstOfQueue } from '@/components/app/first-of-queue'
import { DeskLink, useNavigate } from '@/components/app/navigate'
import { QueuesNav } from '@/components/app/queues-nav'
import { buttonClass } from '@/components/ui/button-class'
import { Kbd } from '@/components/ui/kbd'
import type { Day } from '@/lib/contract/day'
import { type MenuQueue, toLeadHref, toQueueHref } from '@/lib/inbox/queues'

type DayPlanProps = { firstQueue: MenuQueue; day: Day; schools: readonly string[] }

/** Shows where to begin, and the counts that the side menu lacks. Where there is no side menu it lists the queues. */
export function DayPlan({ firstQueue, day, schools }: DayPlanProps) {
  const t = useTranslations('day')
  const navigate = useNavigate()
  const { href, leadLabel } = useFirstOfQueue(firstQueue, schools)
  useCommands({ open: () => navigate(href) })
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
        <DeskLink href={href} className={buttonClass({ variant: 'primary', size: 'lg' })}>
          {t('plan.begin')}
          <Kbd inverted>↵</Kbd>
        </DeskLink>
      </div>
      <div className="border-t border-line-soft px-2.5 py-2 wide:hidden">
        <QueuesNav />
      </div>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line-soft px-5 py-2 text-sm text-mute empty:hidden">
        {links.map(
          ({ name, linkHref }) =>
            linkHref !== null &&
            day[name] > 0 && (
              <li key={name}>
                <DeskLink href={linkHref} className="text-link hover:text-ink">
                  {t(`plan.${name}`, { count: day[name] })}
                </DeskLink>
              </li>
            ),
        )}
      </ul>
    </div>
  )
}
