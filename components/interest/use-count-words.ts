import { useFormatter, useTranslations } from 'next-intl'
import { FEW } from '@/lib/interest/withheld'

/** How counts are written; where small groups are withheld, few are `<5` and sums with such in them are about so many. */
export function useCountWords(isWithheld: boolean) {
  const t = useTranslations('interest')
  const format = useFormatter()
  const isFew = (count: number) => isWithheld && count === FEW
  const sum = (count: number, isAbout?: boolean): string =>
    isAbout ? t('about', { count: format.number(count) }) : format.number(count)
  /** For a file or a table: a number as long as it is one. */
  const sumFigure = (count: number, isAbout?: boolean): number | string => (isAbout ? sum(count, isAbout) : count)
  return {
    isFew,
    sum,
    sumFigure,
    cell: (count: number, isAbout?: boolean): string => (isFew(count) ? t('few') : sum(count, isAbout)),
    figure: (count: number, isAbout?: boolean): number | string =>
      isFew(count) ? t('few') : sumFigure(count, isAbout),
  }
}
