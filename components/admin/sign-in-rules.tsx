import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Checkbox } from '@/components/ui/field'
import { TitledSection } from '@/components/ui/headings'
import { Loading } from '@/components/ui/load-failure'
import { api, apiQuery } from '@/lib/api/call'
import type { SignInRules } from '@/lib/contract/account'
import { ROLES } from './user-change'

export function SignInRulesCard() {
  const t = useTranslations('adminUsers.rules')
  const found = useQuery(apiQuery('GET /api/sign-in-rules'))
  if (found.data) return <RulesForm rules={found.data} />
  return (
    <TitledSection id="sign-in-rules" title={t('title')} hint={t('body')} className="max-w-2xl">
      <Loading found={found} className="h-40" />
    </TitledSection>
  )
}

type Roles = SignInRules['secondFactorFor']

/** The choice lies over the saved rule, so that a refetch changes nothing that is being edited. */
function RulesForm({ rules }: { rules: SignInRules }) {
  const t = useTranslations('adminUsers.rules')
  const [chosen, setChosen] = useState<Roles | null>(null)
  const secondFactorFor = chosen ?? rules.secondFactorFor
  const saving = useSaveForm({
    values: { secondFactorFor },
    send: (body) => api('PUT /api/sign-in-rules', { body }),
    done: t('saved'),
    refresh: 'GET /api/sign-in-rules',
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('body')}>
      <div className="px-4 py-3">
        <RoleChoice chosen={secondFactorFor} onChange={setChosen} />
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
        <Checkbox
          key={role}
          label={roleName(role)}
          checked={chosen.includes(role)}
          onChange={(isOn) => onChange(ROLES.filter((each) => (each === role ? isOn : chosen.includes(each))))}
        />
      ))}
    </fieldset>
  )
}
