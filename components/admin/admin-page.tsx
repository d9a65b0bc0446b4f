import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { DeskLink } from '@/components/app/navigate'
import { ADMIN_SCREENS } from '@/components/app/screens'
import { PageHeader } from '@/components/ui/headings'

type AdminPageProps = { title: string; intro: string; action?: ReactNode; children: ReactNode }

/** Lays out a page for administrators, below links to all their pages. */
export function AdminPage({ title, intro, action, children }: AdminPageProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  return (
    <div className="page">
      <nav aria-label={t('administration')} className="border-b border-line">
        <ul className="flex flex-wrap gap-x-5">
          {ADMIN_SCREENS.map(({ name, href }) => (
            <li key={name}>
              <DeskLink href={href} aria-current={pathname === href ? 'page' : undefined} className="tab-link">
                {t(name === 'administration' ? 'overview' : name)}
              </DeskLink>
            </li>
          ))}
        </ul>
      </nav>
      <PageHeader title={title} intro={intro} action={action} />
      {children}
    </div>
  )
}
