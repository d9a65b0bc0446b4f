import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolFilter } from '@/components/desk/schools'
import { cn } from '@/components/ui/cn'
import { useDay } from '@/components/triage/use-pending'
import type { Day } from '@/lib/contract/day'
import { MENU_QUEUES, queueHref, queueLine } from '@/lib/inbox/queues'
import { useIsHere } from './rest-of-queue'

type QueuesNavProps = { onGone?: (() => void) | undefined }

export function QueuesNav({ onGone }: QueuesNavProps) {
  const t = useTranslations('day.queues')
  const [schools] = useSchoolFilter()
  const { data: day } = useDay(schools)
  return (
    <section aria-label={t('title')}>
      <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
        {t('title')}
      </p>
      <ul className="flex flex-col gap-px">
        {MENU_QUEUES.map((name) => (
          <Queue key={name} name={name} day={day} schools={schools} onGone={onGone} />
        ))}
      </ul>
    </section>
  )
}

type QueueProps = QueuesNavProps & {
  name: (typeof MENU_QUEUES)[number]
  day: Day | undefined
  schools: readonly string[]
}

function Queue({ name, day, schools, onGone }: QueueProps) {
  const t = useTranslations('day')
  const line = day && queueLine(day, name, schools)
  const href = line?.href ?? queueHref('asked-questions', name, { schools })
  const isHere = useIsHere()
  const isCurrent = (line?.parts.map((part) => part.href) ?? [href]).some(isHere)
  const count = line?.count ?? 0
  return (
    <li>
      <DeskLink
        href={href}
        aria-current={isCurrent ? 'page' : undefined}
        {...(onGone && { onNavigate: onGone })}
        className="flex h-7 items-center gap-2 rounded-md px-2.5 text-sm font-medium text-mute transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current=page]:bg-fill aria-[current=page]:text-ink touch:h-11"
      >
        <span className="truncate">{t(`queues.${name}`)}</span>
        {count > 0 && (
          <span className={cn('tabular ml-auto text-xs', name === 'late' ? 'font-semibold text-late' : 'text-faint')}>
            {t('count', { count })}
          </span>
        )}
      </DeskLink>
    </li>
  )
}
