import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { useSaveForm } from '@/components/desk/save'
import { SettingsForm } from '@/components/desk/save-form'
import { TextField } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { CardHeading } from '@/components/ui/section-heading'
import { api, apiQuery } from '@/lib/api/call'
import type { SignInRules } from '@/lib/contract/account'
import { ROLES } from './user-change'

export function SignInRulesCard() {
  const t = useTranslations('adminUsers.rules')
  const id = useId()
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/sign-in-rules'))
  if (data) return <RulesForm key={JSON.stringify(data)} rules={data} />
  return (
    <section aria-labelledby={id} className="max-w-2xl">
      <CardHeading id={id} title={t('title')} className="mb-3">
        {t('body')}
      </CardHeading>
      {isError ? (
        <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
      ) : (
        <Skeleton className="h-72" />
      )}
    </section>
  )
}

function RulesForm({ rules }: { rules: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const users = useTranslations('adminUsers')
  const role = useTranslations('common.role')
  const [chosen, setChosen] = useState<readonly string[]>(rules.secondFactorFor)
  const [above, setAbove] = useState(String(rules.proofAboveLeads))
  const saving = useSaveForm({
    given: { secondFactorFor: ROLES.filter((one) => chosen.includes(one)), proofAboveLeads: Number(above) },
    send: (body) => api('PUT /api/sign-in-rules', { body }),
    done: t('saved'),
    failed: users('saveFailed'),
    refresh: 'GET /api/sign-in-rules',
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('body')} save={t('save')}>
      <div className="flex flex-col gap-4 px-4 py-3">
        <fieldset className="flex flex-wrap gap-x-5">
          <legend className="text-sm font-medium">{t('roles')}</legend>
          {ROLES.map((one) => (
            <label key={one} className="flex min-h-9 items-center gap-2 text-sm touch:min-h-11">
              <input
                type="checkbox"
                checked={chosen.includes(one)}
                onChange={({ target: { checked } }) =>
                  setChosen(checked ? [...chosen, one] : chosen.filter((other) => other !== one))
                }
                className="size-4 accent-accent"
              />
              {role(one)}
            </label>
          ))}
        </fieldset>
        <TextField
          label={t('proofAbove')}
          hint={t('proofHint')}
          type="number"
          required
          min={0}
          max={1_000_000}
          value={above}
          onChange={({ target }) => setAbove(target.value)}
          className="tabular max-w-40"
        />
      </div>
    </SettingsForm>
  )
}
