'use client'

import { ChevronRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Spinner } from '@/components/ui/spinner'

const accounts = [
  { role: 'staff', email: 'staff@demo.test' },
  { role: 'manager', email: 'manager@demo.test' },
  { role: 'admin', email: 'admin@demo.test' },
] as const

type DemoAccountsProps = { busy: string | null; onChoose: (email: string) => void }

/** The three accounts of the demo, one press each. */
export function DemoAccounts({ busy, onChoose }: DemoAccountsProps) {
  const t = useTranslations('signin.demo')
  const common = useTranslations('common')
  return (
    <section aria-labelledby="demo-accounts" className="mt-3">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-xs text-mute">{t('body')}</p>
      <ul className="divide-y divide-line-soft overflow-hidden rounded-lg border border-line bg-panel shadow-card">
        {accounts.map(({ role, email }) => (
          <li key={role}>
            <button
              type="button"
              disabled={busy !== null}
              onClick={() => onChoose(email)}
              className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-2 transition-colors hover:bg-hover disabled:opacity-60"
            >
              <span className="flex-1">
                <span className="block text-sm font-medium">{common(`role.${role}`)}</span>
                <span className="block text-xs text-mute">{t(role)}</span>
              </span>
              {busy === email ? <Spinner /> : <ChevronRight className="size-4 text-faint" aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
