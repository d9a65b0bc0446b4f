import { useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/go'
import { cn } from '@/components/ui/cn'

const TABS = { log: '/admin/activity', leads: '/admin/activity/leads', person: '/admin/activity/person' } as const

/** The three ways into the log, as links beside each other. */
export function LogTabs({ here }: { here: keyof typeof TABS }) {
  const t = useTranslations('reading.tabs')
  return (
    <nav aria-label={t('label')} className="-my-1">
      <ul className="flex flex-wrap border-b border-line desk:gap-x-1">
        {(['log', 'leads', 'person'] as const).map((name) => (
          <li key={name}>
            <DeskLink
              href={TABS[name]}
              aria-current={name === here ? 'page' : undefined}
              className={cn(
                '-mb-px flex min-h-9 items-center border-b-2 px-2 text-sm font-medium desk:px-3 touch:min-h-11',
                name === here ? 'border-accent text-ink' : 'border-transparent text-mute hover:text-ink',
              )}
            >
              {t(name)}
            </DeskLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
