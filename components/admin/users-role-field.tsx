'use client'

import { useTranslations } from 'next-intl'
import type { Role } from '@/lib/contract/user'

const ROLES = ['staff', 'manager', 'admin'] as const satisfies readonly Role[]

export function UsersRoleField({ role, onRole }: { role: Role; onRole: (role: Role) => void }) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('field.role')}</legend>
      <div className="flex flex-col overflow-hidden rounded-md border border-line">
        {ROLES.map((choice) => (
          <label
            key={choice}
            className="flex gap-3 border-b border-line-soft px-3 py-2 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft has-focus-visible:bg-hover"
          >
            <input
              type="radio"
              name="role"
              aria-label={common(choice)}
              checked={role === choice}
              onChange={() => onRole(choice)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{common(choice)}</span>
              <span className="block text-xs text-mute">{t(`roleHint.${choice}`)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
