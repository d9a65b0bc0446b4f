import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useId } from 'react'
import { MENU_QUEUES, toQueueHref } from '@/lib/inbox/queues'
import { DeskLink } from './navigate'
import { useDayNumbers } from './own-changes'
import { useSchoolFilter } from './schools'

export function QueuesNav({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const t = useTranslations('inbox')
  const [schools] = useSchoolFilter()
  const { data: day } = useDayNumbers(schools)
  const pathname = usePathname()
  const titleId = useId()
  return (
    <section aria-labelledby={titleId}>
      <p id={titleId} className="px-2.5 pb-1 text-2xs font-semibold text-faint">
        {t('queues.title')}
      </p>
      <ul className="flex flex-col gap-px">
        {MENU_QUEUES.map((name) => {
          const href = toQueueHref(name, schools)
          const count = day?.[name] ?? 0
          const countClass = name === 'late' ? 'font-semibold text-late' : 'text-faint'
          return (
            <li key={name}>
              <DeskLink
                href={href}
                aria-current={href.split('?')[0] === pathname ? 'page' : undefined}
                onNavigate={onNavigate}
                className="nav-side nav-link"
              >
                <span className="truncate">{t(`queues.${name}`)}</span>
                {count > 0 && <span className={`tabular ml-auto text-xs ${countClass}`}>{t('total', { count })}</span>}
              </DeskLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
