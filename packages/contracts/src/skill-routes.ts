import type { Route } from './route.ts';
import {
  deleteSkillPackage,
  downloadSkillPackage,
  getSkillPackage,
  listSkillPackages,
  uploadSkillPackage,
} from './routes/skill-packages.ts';
import {
  approveSkill,
  deleteSkill,
  deleteSkills,
  diffSkill,
  getSkill,
  getSkillStats,
  getSkillSubmission,
  listSkillReports,
  listSkills,
  listSkillSubmissions,
  quarantineSkill,
  rejectSkill,
  reportSkill,
  submitSkill,
} from './routes/skills.ts';

/** What the hub for skills answers. */
export const skillRoutes: readonly Route[] = [
  listSkills,
  getSkill,
  diffSkill,
  approveSkill,
  rejectSkill,
  quarantineSkill,
  deleteSkill,
  deleteSkills,
  listSkillSubmissions,
  getSkillSubmission,
  submitSkill,
  listSkillReports,
  reportSkill,
  listSkillPackages,
  getSkillPackage,
  uploadSkillPackage,
  downloadSkillPackage,
  deleteSkillPackage,
  getSkillStats,
];
