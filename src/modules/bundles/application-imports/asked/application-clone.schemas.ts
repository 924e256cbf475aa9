import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../../platform/callbacks/listener-fields.js';
import { BooleanField, ChoiceField, IdField, ObjectField } from '../../../../platform/fields/fields.js';
import { ValidationProblem } from '../../../../platform/fields/shared.schemas.js';
import { Application } from '../../../applications/applications/application.resource.js';

const choice = (description: string) =>
  ({ column: false, default: false, description, example: true }) as const;

@ApiSchema({ name: 'ApplicationClonePost', description: 'Contents and owner of a clone.' })
export class ApplicationClonePost extends ListenersBody {
  @IdField({
    column: false,
    nullable: true,
    description:
      'ID of the owner of the copy. Defaults to the owner of the application; `null` selects the caller.',
  })
  ownerId?: string | null;

  @ChoiceField(['user', 'organization'], {
    column: false,
    description: 'Type of the owner of the copy.',
    example: 'user',
  })
  ownerType?: 'user' | 'organization';

  @BooleanField(choice('Whether to copy devices.'))
  includeDevices?: boolean;

  @BooleanField(choice('Whether to copy files.'))
  includeFiles?: boolean;

  @BooleanField(choice('Whether to copy private files.'))
  includePrivateFiles?: boolean;

  @BooleanField(choice('Whether to copy data table rows.'))
  includeDataTableRows?: boolean;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether to validate the clone without writing anything.',
    example: false,
  })
  dryRun?: boolean;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether to run as a job even if the application is small.',
    example: false,
  })
  forceJob?: boolean;
}

@ApiSchema({ name: 'ApplicationApplyTemplatePatch', description: 'Template to apply to an application.' })
export class ApplicationApplyTemplatePatch extends ListenersBody {
  @IdField({ column: false, required: true, description: 'ID of the template to apply.' })
  templateId: string;
}

@ApiSchema({
  name: 'ApplicationCloneDryRunResult',
  description: 'Result of a dry run: the application can be cloned as far as can be determined in advance.',
})
export class ApplicationCloneDryRunResult {
  @ApiProperty({
    type: 'boolean',
    enum: [true],
    description: 'Always `true`; a clone that is not possible returns an error.',
    example: true,
  })
  success: true;

  @ApiProperty({ type: 'boolean', description: 'Whether the clone would run as a job.', example: false })
  requiresJob: boolean;
}

@ApiSchema({
  name: 'ApplicationCreationByTemplateResult',
  description:
    'Application created from a template or a bundle, and the resources that could not be created.',
})
export class ApplicationCreationByTemplateResult {
  @ObjectField(() => Application, { column: false, required: true, description: 'The created application.' })
  application: Application;

  @ObjectField(() => ValidationProblem, {
    column: false,
    required: true,
    list: true,
    description: 'Resources that could not be created or were changed; up to 100 entries.',
  })
  validationErrors: ValidationProblem[];
}
