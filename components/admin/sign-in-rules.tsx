import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSaveForm } from '@/components/desk/save'
import { SettingsForm } from '@/components/desk/save-form'
import { TextField } from '@/components/ui/field'
import { TitledSection } from '@/components/ui/headings'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { api, apiQuery } from '@/lib/api/call'
import type { SignInRules } from '@/lib/contract/account'
import { ROLES } from './user-change'

/** Which roles need a second factor, and from how many leads an export re-authenticates. */
export function SignInRulesCard() {
  const t = useTranslations('adminUsers.rules')
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/sign-in-rules'))
  if (data) return <RulesForm rules={data} />
  return (
    <TitledSection id="sign-in-rules" title={t('title')} hint={t('body')} className="max-w-2xl">
      {isError ? (
        <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
      ) : (
        <Skeleton className="h-72" />
      )}
    </TitledSection>
  )
}

type Roles = SignInRules['secondFactorFor']
type Edits = { roles?: Roles; leads?: string }

/** Edits lie over the saved rules, so that a refetch changes only what is not being edited. */
function RulesForm({ rules }: { rules: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const users = useTranslations('adminUsers')
  const [edits, setEdits] = useState<Edits>({})
  const { roles = rules.secondFactorFor, leads = String(rules.proofAboveLeads) } = edits
  const saving = useSaveForm({
    values: { secondFactorFor: roles, proofAboveLeads: Number(leads) },
    send: (body) => api('PUT /api/sign-in-rules', { body }),
    done: t('saved'),
    failed: users('saveFailed'),
    refresh: 'GET /api/sign-in-rules',
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('body')} save={t('save')}>
      <div className="flex flex-col gap-4 px-4 py-3">
        <RoleChoice chosen={roles} onChange={(next) => setEdits({ ...edits, roles: next })} />
        <TextField
          label={t('proofAbove')}
          hint={t('proofHint')}
          type="number"
          required
          min={0}
          max={1_000_000}
          value={leads}
          onChange={({ target }) => setEdits({ ...edits, leads: target.value })}
          className="tabular max-w-40"
        />
      </div>
    </SettingsForm>
  )
}

function RoleChoice({ chosen, onChange }: { chosen: Roles; onChange: (chosen: Roles) => void }) {
  const t = useTranslations('adminUsers.rules')
  const roleName = useTranslations('common.role')
  return (
    <fieldset className="flex flex-wrap gap-x-5">
      <legend className="text-sm font-medium">{t('roles')}</legend>
      {ROLES.map((role) => (
        <label key={role} className="flex min-h-9 items-center gap-2 text-sm touch:min-h-11">
          <input
            type="checkbox"
            checked={chosen.includes(role)}
            onChange={({ target: { checked } }) =>
              onChange(ROLES.filter((each) => (each === role ? checked : chosen.includes(each))))
            }
            className="size-4"
          />
          {roleName(role)}
        </label>
      ))}
    </fieldset>
  )
}
