import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useSchoolNames } from '@/components/app/schools'
import { ChoiceList } from '@/components/ui/choice-list'
import { LoadingOrFailure } from '@/components/ui/load-failure'
import { RadioGroup } from '@/components/ui/radio-group'
import { highSchoolsQuery } from '@/lib/api/queries'
import { ROLES } from '@/lib/contract/limits'
import type { User } from '@/lib/contract/user'

export type RoleAndSchools = Pick<User, 'role' | 'schools'>

type AccessFieldsProps = {
  access: RoleAndSchools
  /** What single sign-on sets is read-only here, because it is changed at the provider. */
  singleSignOn?: User['singleSignOn']
  errors: { role?: string | undefined; schools?: string | undefined }
  onChange: (part: Partial<RoleAndSchools>) => void
  children?: ReactNode
}

export function AccessFields({ access, singleSignOn, errors, onChange, children }: AccessFieldsProps) {
  const { role, schools } = access
  const t = useTranslations('adminUsers')
  const tRole = useTranslations('common.role')
  const { nameById } = useSchoolNames()
  const schoolsQuery = useQuery(highSchoolsQuery)
  const schoolChoices = schoolsQuery.data?.highSchools.map(({ id, name }) => ({ value: id, label: name }))
  const isAll = schools === 'all'
  const removedIds = (isAll ? [] : schools).filter((id) => !schoolChoices?.some(({ value }) => value === id))
  const removedChoices = removedIds.map((id) => ({ value: id, label: t('schools.unknown', { id }) }))
  const schoolsText = isAll ? t('schools.all') : schools.map(nameById).join(', ') || t('schools.count', { count: 0 })
  return (
    <>
      {(singleSignOn?.role || singleSignOn?.schools) && <p className="text-xs text-mute">{t('signOn.given')}</p>}
      <RadioGroup
        legend={t('field.role')}
        error={errors.role}
        fixedText={singleSignOn?.role ? tRole(role) : null}
        choices={ROLES.map((value) => ({ value, label: tRole(value), hint: t(`roleHint.${value}`) }))}
        value={role}
        onChoose={(value) => onChange({ role: value })}
      />
      {children}
      <RadioGroup
        legend={t('schools.legend')}
        error={errors.schools}
        fixedText={singleSignOn?.schools ? schoolsText : null}
        choices={[
          { value: 'all', label: t('schools.all'), hint: t('schools.allHint') },
          { value: 'some', label: t('schools.some') },
        ]}
        value={isAll ? 'all' : 'some'}
        onChoose={(scope) => onChange({ schools: scope === 'all' ? 'all' : [] })}
      >
        {!isAll && !schoolChoices && <LoadingOrFailure query={schoolsQuery} className="m-3 h-5 w-40" />}
        {!isAll && schoolChoices && (
          <ChoiceList
            variant="form"
            choices={[...removedChoices, ...schoolChoices]}
            chosen={schools}
            searchLabel={t('schools.search')}
            onChange={(ids) => onChange({ schools: ids })}
          />
        )}
      </RadioGroup>
    </>
  )
}
