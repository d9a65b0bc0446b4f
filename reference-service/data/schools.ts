import type { HighSchool } from '../model'
import { fold } from './fold'
import { type Tier, tiers } from './tiers'
import { schoolNames } from './words/school-names'

/** The schools of a tier, the largest first; the same for every seed. */
export function inventSchools(tier: Tier): HighSchool[] {
  return schoolNames(tiers[tier].schools).map((name) => ({ id: fold(name, '-'), name }))
}
