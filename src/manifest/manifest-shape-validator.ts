// Generated from schemas/manifest.v1.json by Ajv: `npx vitest run test/manifest/manifest-shape-validator.test.ts -u`. Do not edit.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
// @ts-nocheck
const codePoints = (text) => { let count = 0; for (const _ of text) count++; return count }
export const validateManifest = validate10;
const schema11 = {"$schema":"http://json-schema.org/draft-07/schema#","title":"whatif manifest, version 1","description":"What a run of a study did, from what, giving what. Within version 1 fields are only added. `run` and `trace` are the only parts that differ between runs with the same results.","type":"object","required":["comparisons","datasets","diagnostics","manifest_version","outcome","run","scenarios","status","study","totals","trace"],"properties":{"manifest_version":{"const":1},"study":{"type":"object","required":["baseline","digest","name","version"],"properties":{"name":{"type":"string"},"version":{"const":1},"digest":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"baseline":{"type":["string","null"]}}},"status":{"type":"string","enum":["running","complete","interrupted","refused"]},"outcome":{"description":"Null while running.","anyOf":[{"$ref":"#/definitions/outcome"},{"type":"null"}]},"totals":{"type":"object","required":["failed","interrupted","not_started","partial","ready","refused","rows_generated","rows_requested","running","scenarios"],"properties":{"scenarios":{"type":"integer","minimum":0},"ready":{"type":"integer","minimum":0},"partial":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"refused":{"type":"integer","minimum":0},"not_started":{"type":"integer","minimum":0},"running":{"type":"integer","minimum":0},"interrupted":{"type":"integer","minimum":0},"rows_requested":{"type":"integer","minimum":0},"rows_generated":{"type":"integer","minimum":0}}},"datasets":{"type":"object","additionalProperties":{"$ref":"#/definitions/dataset"}},"scenarios":{"type":"object","additionalProperties":{"$ref":"#/definitions/scenario"}},"comparisons":{"type":"object","additionalProperties":{"$ref":"#/definitions/comparison"}},"diagnostics":{"type":"array","items":{"$ref":"#/definitions/diagnostic"}},"trace":{"type":"object","required":["datasets","scenarios"],"properties":{"datasets":{"type":"object","additionalProperties":{"$ref":"#/definitions/dataset_trace"}},"scenarios":{"type":"object","additionalProperties":{"$ref":"#/definitions/scenario_trace"}}}},"run":{"type":"object","required":["actions","ci","finished_at","git","id","node","rows_billable","scope","service","started_at","tool"],"properties":{"id":{"type":"string"},"actions":{"type":"object","additionalProperties":{"type":"string"}},"rows_billable":{"type":"integer","minimum":0},"started_at":{"type":"string","format":"date-time"},"finished_at":{"type":["string","null"],"format":"date-time"},"tool":{"type":"string"},"node":{"type":"string"},"scope":{"type":["string","null"]},"service":{"type":"string","enum":["embedded","remote"]},"git":{"anyOf":[{"type":"object","required":["commit","dirty"],"properties":{"commit":{"type":"string"},"dirty":{"type":"boolean"}}},{"type":"null"}]},"ci":{"type":["string","null"]}}}},"definitions":{"status":{"type":"string","enum":["ready","partial","failed","refused","not_started","running","interrupted"]},"outcome":{"type":"object","required":["also","exit_code","reason"],"properties":{"exit_code":{"type":"integer","minimum":0,"maximum":255},"reason":{"type":"string"},"also":{"type":"array","items":{"type":"string"},"description":"Further causes, in the order of precedence; those that were forgiven last."}}},"dataset":{"type":"object","required":["cleaning","fingerprint","schema_sha256","sha256","source"],"properties":{"fingerprint":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"schema_sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"source":{"type":["string","null"],"description":"As written in the study; null for a dataset named by its id."},"sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$","description":"Of the seed file."},"cleaning":{"anyOf":[{"type":"object","required":["clean_columns","clean_rows","dropped_columns","input_columns","input_rows"],"properties":{"input_rows":{"type":"integer","minimum":0},"clean_rows":{"type":"integer","minimum":0},"input_columns":{"type":"integer","minimum":0},"clean_columns":{"type":"integer","minimum":0},"dropped_columns":{"type":"array","items":{"type":"object","required":["name","reason"],"properties":{"name":{"type":"string"},"reason":{"type":"string"}}}}}},{"type":"null"}]},"quality":{"type":"object","description":"How good the model is, as its service measured it on held-out rows of the seed; absent when the service does not tell. Each part is there when the service gave it.","properties":{"training_rows":{"type":"integer","minimum":0},"held_out_rows":{"type":"integer","minimum":0},"synthetic_rows":{"type":"integer","minimum":0},"column_shapes":{"type":"object","description":"1 - total variation distance of levels, 1 - Kolmogorov-Smirnov statistic of numbers, to the held-out rows.","required":["mean","reference","worst"],"properties":{"mean":{"type":"number"},"reference":{"type":"number","description":"The same of rows trained on."},"worst":{"type":"array","items":{"type":"object","required":["column","reference","score"],"properties":{"column":{"type":"string"},"score":{"type":"number"},"reference":{"type":"number"}}}}}},"pairs":{"type":"object","description":"1 - total variation distance of two-way tables to those of the held-out rows.","required":["mean","measured","reference"],"properties":{"mean":{"type":"number"},"reference":{"type":"number","description":"The same of rows trained on."},"measured":{"type":"integer","minimum":0}}},"c2st":{"type":"object","description":"Classifier two-sample test of synthetic against held-out rows.","required":["auc","chance","rows"],"properties":{"auc":{"type":"number"},"chance":{"type":"number","description":"0.5 plus or minus this is what chance does in 95 of 100 cases."},"rows":{"type":"integer","minimum":0}}},"copies":{"type":"object","description":"Share of synthetic rows that equal a row trained on.","required":["reference","share"],"properties":{"share":{"type":"number"},"reference":{"type":"number","description":"The same of the held-out rows."}}},"dcr":{"type":"object","description":"Share of synthetic rows nearer to a row trained on than to any of as many held-out rows.","required":["chance","nearer_training","of_copies","rows"],"properties":{"nearer_training":{"type":"number"},"chance":{"type":"number","description":"0.5 plus or minus this is what chance does in 95 of 100 cases."},"of_copies":{"type":"number","description":"What exact copies would give."},"rows":{"type":"integer","minimum":0}}}}}}},"request":{"type":"object","description":"The body as it was sent.","required":["output_format","row_count","seed"],"properties":{"conditions":{"type":"object","required":[],"properties":{"categorical":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"number"}}},"numeric":{"type":"object","additionalProperties":{"type":"object","required":["max","min"],"properties":{"min":{"type":"number"},"max":{"type":"number"}}}}}},"output_format":{"type":"string"},"row_count":{"type":"integer","minimum":1},"seed":{"type":"integer"}}},"rows":{"type":"object","required":["counted","fill","reported","requested"],"properties":{"requested":{"type":"integer","minimum":1},"reported":{"type":["integer","null"],"minimum":0,"description":"What the service says it generated."},"counted":{"type":["integer","null"],"minimum":0,"description":"Rows in the artifact."},"fill":{"type":["number","null"],"minimum":0,"description":"counted / requested"}}},"share":{"type":"object","required":["levels","unstated"],"properties":{"levels":{"type":"object","additionalProperties":{"type":"object","required":["achieved","count","delta","target"],"properties":{"target":{"type":"number"},"achieved":{"type":"number","minimum":0},"delta":{"type":"number"},"count":{"type":"integer","minimum":0}}}},"unstated":{"type":"object","description":"Shares of the levels that the scenario does not state.","additionalProperties":{"type":"number","minimum":0}},"missing":{"type":"number","minimum":0,"description":"Share of rows without a value; absent when there are none."}}},"range":{"type":"object","required":["achieved","outside","outside_count","target"],"properties":{"target":{"type":"object","required":["max","min"],"properties":{"min":{"type":"number"},"max":{"type":"number"}}},"achieved":{"anyOf":[{"type":"object","required":["max","min"],"properties":{"min":{"type":"number"},"max":{"type":"number"}}},{"type":"null"}]},"outside":{"type":"number","minimum":0,"description":"Share of rows outside the range or without a value."},"outside_count":{"type":"integer","minimum":0}}},"gate":{"type":"object","required":["actual","evaluated","expected","id","level","passed"],"properties":{"id":{"type":"string"},"level":{"type":"string","enum":["fail","warn"]},"evaluated":{"type":"integer","minimum":0,"description":"Checks made; a gate that could make none has not passed."},"passed":{"type":"boolean"},"expected":{"type":"object","additionalProperties":{"type":["number","string"]}},"actual":{"type":["number","null"]},"chance":{"type":"number","minimum":0,"description":"What chance alone does, 2·√(p(1−p)/n), if rows are sampled independently."}}},"artifact":{"type":"object","required":["bytes","format","path","sha256"],"properties":{"path":{"type":"string","description":"Relative to the manifest."},"format":{"type":"string","enum":["parquet","csv","arrow"]},"bytes":{"type":"integer","minimum":0},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}},"evidence":{"type":"object","description":"How much of the seed data stands behind the rows, as the service says.","required":["effective_rows","largest_tilt"],"properties":{"effective_rows":{"type":"number","description":"Rows of the seed that the answer rests on (Kish's effective sample size)."},"largest_tilt":{"type":"number","description":"Largest ratio of a combination's share of the rows to its share in the model."},"in_range_share":{"type":"number","description":"Share of the model inside all ranges."},"unlisted":{"enum":["unconditional","conditional"],"description":"Whether the unlisted levels kept the proportions they have without conditions, or those they have given the other conditions."},"low_support":{"type":"boolean","description":"Whether the evidence is thin."},"converged":{"type":"boolean","description":"Whether the mix is the closest to the model that there is; the shares hold in any case."}}},"shortfall":{"type":"object","description":"Which targets bind, when the service says why there are fewer rows.","required":["binding","detail"],"properties":{"detail":{"type":"string","maxLength":500},"binding":{"type":"array","items":{"type":"object","required":["column"],"properties":{"column":{"type":"string"},"level":{"type":"string"},"target":{"type":"number"},"seed_rows":{"type":"number"}}}}}},"scenario":{"type":"object","required":["artifact","axes","dataset","fingerprint","gates","group","ranges","request","rows","shares","status"],"properties":{"group":{"type":["string","null"]},"axes":{"type":"object","additionalProperties":{"type":"string"}},"fingerprint":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"dataset":{"type":"string"},"request":{"anyOf":[{"$ref":"#/definitions/request"},{"type":"null"}]},"status":{"$ref":"#/definitions/status"},"rows":{"$ref":"#/definitions/rows"},"shares":{"type":"object","additionalProperties":{"$ref":"#/definitions/share"}},"ranges":{"type":"object","additionalProperties":{"$ref":"#/definitions/range"}},"artifact":{"anyOf":[{"$ref":"#/definitions/artifact"},{"type":"null"}]},"gates":{"type":"array","items":{"$ref":"#/definitions/gate"}},"shortfall":{"$ref":"#/definitions/shortfall"},"evidence":{"$ref":"#/definitions/evidence"},"partial":{"description":"What the study makes of fewer rows than requested, in its own words; only where the status is `partial`.","anyOf":[{"type":"string","enum":["accept","warn","fail"]},{"type":"object","required":["accept_from","otherwise"],"properties":{"accept_from":{"type":"number"},"otherwise":{"type":"string","enum":["warn","fail"]}}}]},"error":{"type":"object","required":["code","detail"],"properties":{"code":{"type":"string"},"detail":{"type":"string","maxLength":500}}}}},"statistics":{"type":"object","required":["mean","n","q05","q25","q50","q75","q95","sd"],"properties":{"n":{"type":"integer","minimum":0},"mean":{"type":"number"},"sd":{"type":["number","null"]},"q05":{"type":"number"},"q25":{"type":"number"},"q50":{"type":"number"},"q75":{"type":"number"},"q95":{"type":"number"}}},"comparison":{"type":"object","required":["against","gates","scenarios"],"properties":{"against":{"type":"string"},"scenarios":{"type":"object","additionalProperties":{"type":"object","required":["means","shares","status"],"properties":{"status":{"type":"string","enum":["compared","mixed_model","missing"]},"shares":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"object","required":["against","delta","scenario"],"properties":{"against":{"type":"number","minimum":0},"scenario":{"type":"number","minimum":0},"delta":{"type":"number"}}}}},"means":{"type":"object","additionalProperties":{"type":"object","required":["against","delta","scenario"],"properties":{"against":{"anyOf":[{"$ref":"#/definitions/statistics"},{"type":"null"}]},"scenario":{"anyOf":[{"$ref":"#/definitions/statistics"},{"type":"null"}]},"delta":{"type":["number","null"]}}}}}}},"gates":{"type":"array","items":{"$ref":"#/definitions/gate"}}}},"diagnostic":{"type":"object","required":["code","detail","severity","suggestions","summary"],"properties":{"severity":{"type":"string","enum":["error","warning","note"]},"code":{"type":"string"},"summary":{"type":"string"},"detail":{"type":"string"},"suggestions":{"type":"array","items":{"type":"string"}}}},"dataset_trace":{"type":"object","required":["dataset_id","expires_at","idempotency_key","request_ids","trained_at"],"properties":{"dataset_id":{"type":["string","null"]},"trained_at":{"type":["string","null"]},"expires_at":{"type":["string","null"]},"idempotency_key":{"type":["string","null"],"pattern":"^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"},"request_ids":{"type":"array","items":{"type":"string"}}}},"scenario_trace":{"type":"object","required":["attempts","completed_at","dataset_id","download_before","epoch","generation_id","idempotency_key","job_id","request_ids","submitted_at"],"properties":{"generation_id":{"type":["string","null"]},"job_id":{"type":["string","null"]},"dataset_id":{"type":["string","null"]},"idempotency_key":{"type":["string","null"],"pattern":"^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"},"epoch":{"type":["integer","null"],"minimum":0},"attempts":{"type":"integer","minimum":0},"request_ids":{"type":"array","items":{"type":"string"}},"submitted_at":{"type":["string","null"],"format":"date-time"},"completed_at":{"type":["string","null"],"format":"date-time"},"download_before":{"type":["string","null"],"format":"date-time"}}}},"$id":"manifest"};
const schema12 = {"type":"object","required":["also","exit_code","reason"],"properties":{"exit_code":{"type":"integer","minimum":0,"maximum":255},"reason":{"type":"string"},"also":{"type":"array","items":{"type":"string"},"description":"Further causes, in the order of precedence; those that were forgiven last."}}};
const schema13 = {"type":"object","required":["cleaning","fingerprint","schema_sha256","sha256","source"],"properties":{"fingerprint":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"schema_sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"source":{"type":["string","null"],"description":"As written in the study; null for a dataset named by its id."},"sha256":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$","description":"Of the seed file."},"cleaning":{"anyOf":[{"type":"object","required":["clean_columns","clean_rows","dropped_columns","input_columns","input_rows"],"properties":{"input_rows":{"type":"integer","minimum":0},"clean_rows":{"type":"integer","minimum":0},"input_columns":{"type":"integer","minimum":0},"clean_columns":{"type":"integer","minimum":0},"dropped_columns":{"type":"array","items":{"type":"object","required":["name","reason"],"properties":{"name":{"type":"string"},"reason":{"type":"string"}}}}}},{"type":"null"}]},"quality":{"type":"object","description":"How good the model is, as its service measured it on held-out rows of the seed; absent when the service does not tell. Each part is there when the service gave it.","properties":{"training_rows":{"type":"integer","minimum":0},"held_out_rows":{"type":"integer","minimum":0},"synthetic_rows":{"type":"integer","minimum":0},"column_shapes":{"type":"object","description":"1 - total variation distance of levels, 1 - Kolmogorov-Smirnov statistic of numbers, to the held-out rows.","required":["mean","reference","worst"],"properties":{"mean":{"type":"number"},"reference":{"type":"number","description":"The same of rows trained on."},"worst":{"type":"array","items":{"type":"object","required":["column","reference","score"],"properties":{"column":{"type":"string"},"score":{"type":"number"},"reference":{"type":"number"}}}}}},"pairs":{"type":"object","description":"1 - total variation distance of two-way tables to those of the held-out rows.","required":["mean","measured","reference"],"properties":{"mean":{"type":"number"},"reference":{"type":"number","description":"The same of rows trained on."},"measured":{"type":"integer","minimum":0}}},"c2st":{"type":"object","description":"Classifier two-sample test of synthetic against held-out rows.","required":["auc","chance","rows"],"properties":{"auc":{"type":"number"},"chance":{"type":"number","description":"0.5 plus or minus this is what chance does in 95 of 100 cases."},"rows":{"type":"integer","minimum":0}}},"copies":{"type":"object","description":"Share of synthetic rows that equal a row trained on.","required":["reference","share"],"properties":{"share":{"type":"number"},"reference":{"type":"number","description":"The same of the held-out rows."}}},"dcr":{"type":"object","description":"Share of synthetic rows nearer to a row trained on than to any of as many held-out rows.","required":["chance","nearer_training","of_copies","rows"],"properties":{"nearer_training":{"type":"number"},"chance":{"type":"number","description":"0.5 plus or minus this is what chance does in 95 of 100 cases."},"of_copies":{"type":"number","description":"What exact copies would give."},"rows":{"type":"integer","minimum":0}}}}}}};
const schema28 = {"type":"object","required":["code","detail","severity","suggestions","summary"],"properties":{"severity":{"type":"string","enum":["error","warning","note"]},"code":{"type":"string"},"summary":{"type":"string"},"detail":{"type":"string"},"suggestions":{"type":"array","items":{"type":"string"}}}};
const schema29 = {"type":"object","required":["dataset_id","expires_at","idempotency_key","request_ids","trained_at"],"properties":{"dataset_id":{"type":["string","null"]},"trained_at":{"type":["string","null"]},"expires_at":{"type":["string","null"]},"idempotency_key":{"type":["string","null"],"pattern":"^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"},"request_ids":{"type":"array","items":{"type":"string"}}}};
const schema30 = {"type":"object","required":["attempts","completed_at","dataset_id","download_before","epoch","generation_id","idempotency_key","job_id","request_ids","submitted_at"],"properties":{"generation_id":{"type":["string","null"]},"job_id":{"type":["string","null"]},"dataset_id":{"type":["string","null"]},"idempotency_key":{"type":["string","null"],"pattern":"^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"},"epoch":{"type":["integer","null"],"minimum":0},"attempts":{"type":"integer","minimum":0},"request_ids":{"type":"array","items":{"type":"string"}},"submitted_at":{"type":["string","null"],"format":"date-time"},"completed_at":{"type":["string","null"],"format":"date-time"},"download_before":{"type":["string","null"],"format":"date-time"}}};
const pattern0 = new RegExp("^[0-9a-f]{64}$", "u");
const pattern6 = new RegExp("^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$", "u");
const schema14 = {"type":"object","required":["artifact","axes","dataset","fingerprint","gates","group","ranges","request","rows","shares","status"],"properties":{"group":{"type":["string","null"]},"axes":{"type":"object","additionalProperties":{"type":"string"}},"fingerprint":{"type":["string","null"],"pattern":"^[0-9a-f]{64}$"},"dataset":{"type":"string"},"request":{"anyOf":[{"$ref":"#/definitions/request"},{"type":"null"}]},"status":{"$ref":"#/definitions/status"},"rows":{"$ref":"#/definitions/rows"},"shares":{"type":"object","additionalProperties":{"$ref":"#/definitions/share"}},"ranges":{"type":"object","additionalProperties":{"$ref":"#/definitions/range"}},"artifact":{"anyOf":[{"$ref":"#/definitions/artifact"},{"type":"null"}]},"gates":{"type":"array","items":{"$ref":"#/definitions/gate"}},"shortfall":{"$ref":"#/definitions/shortfall"},"evidence":{"$ref":"#/definitions/evidence"},"partial":{"description":"What the study makes of fewer rows than requested, in its own words; only where the status is `partial`.","anyOf":[{"type":"string","enum":["accept","warn","fail"]},{"type":"object","required":["accept_from","otherwise"],"properties":{"accept_from":{"type":"number"},"otherwise":{"type":"string","enum":["warn","fail"]}}}]},"error":{"type":"object","required":["code","detail"],"properties":{"code":{"type":"string"},"detail":{"type":"string","maxLength":500}}}}};
const schema15 = {"type":"object","description":"The body as it was sent.","required":["output_format","row_count","seed"],"properties":{"conditions":{"type":"object","required":[],"properties":{"categorical":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"number"}}},"numeric":{"type":"object","additionalProperties":{"type":"object","required":["max","min"],"properties":{"min":{"type":"number"},"max":{"type":"number"}}}}}},"output_format":{"type":"string"},"row_count":{"type":"integer","minimum":1},"seed":{"type":"integer"}}};
const schema16 = {"type":"string","enum":["ready","partial","failed","refused","not_started","running","interrupted"]};
const schema17 = {"type":"object","required":["counted","fill","reported","requested"],"properties":{"requested":{"type":"integer","minimum":1},"reported":{"type":["integer","null"],"minimum":0,"description":"What the service says it generated."},"counted":{"type":["integer","null"],"minimum":0,"description":"Rows in the artifact."},"fill":{"type":["number","null"],"minimum":0,"description":"counted / requested"}}};
const schema18 = {"type":"object","required":["levels","unstated"],"properties":{"levels":{"type":"object","additionalProperties":{"type":"object","required":["achieved","count","delta","target"],"properties":{"target":{"type":"number"},"achieved":{"type":"number","minimum":0},"delta":{"type":"number"},"count":{"type":"integer","minimum":0}}}},"unstated":{"type":"object","description":"Shares of the levels that the scenario does not state.","additionalProperties":{"type":"number","minimum":0}},"missing":{"type":"number","minimum":0,"description":"Share of rows without a value; absent when there are none."}}};
const schema19 = {"type":"object","required":["achieved","outside","outside_count","target"],"properties":{"target":{"type":"object","required":["max","min"],"properties":{"min":{"type":"number"},"max":{"type":"number"}}},"achieved":{"anyOf":[{"type":"object","required":["max","min"],"properties":{"min":{"type":"number"},"max":{"type":"number"}}},{"type":"null"}]},"outside":{"type":"number","minimum":0,"description":"Share of rows outside the range or without a value."},"outside_count":{"type":"integer","minimum":0}}};
const schema20 = {"type":"object","required":["bytes","format","path","sha256"],"properties":{"path":{"type":"string","description":"Relative to the manifest."},"format":{"type":"string","enum":["parquet","csv","arrow"]},"bytes":{"type":"integer","minimum":0},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}}};
const schema21 = {"type":"object","required":["actual","evaluated","expected","id","level","passed"],"properties":{"id":{"type":"string"},"level":{"type":"string","enum":["fail","warn"]},"evaluated":{"type":"integer","minimum":0,"description":"Checks made; a gate that could make none has not passed."},"passed":{"type":"boolean"},"expected":{"type":"object","additionalProperties":{"type":["number","string"]}},"actual":{"type":["number","null"]},"chance":{"type":"number","minimum":0,"description":"What chance alone does, 2·√(p(1−p)/n), if rows are sampled independently."}}};
const schema22 = {"type":"object","description":"Which targets bind, when the service says why there are fewer rows.","required":["binding","detail"],"properties":{"detail":{"type":"string","maxLength":500},"binding":{"type":"array","items":{"type":"object","required":["column"],"properties":{"column":{"type":"string"},"level":{"type":"string"},"target":{"type":"number"},"seed_rows":{"type":"number"}}}}}};
const schema23 = {"type":"object","description":"How much of the seed data stands behind the rows, as the service says.","required":["effective_rows","largest_tilt"],"properties":{"effective_rows":{"type":"number","description":"Rows of the seed that the answer rests on (Kish's effective sample size)."},"largest_tilt":{"type":"number","description":"Largest ratio of a combination's share of the rows to its share in the model."},"in_range_share":{"type":"number","description":"Share of the model inside all ranges."},"unlisted":{"enum":["unconditional","conditional"],"description":"Whether the unlisted levels kept the proportions they have without conditions, or those they have given the other conditions."},"low_support":{"type":"boolean","description":"Whether the evidence is thin."},"converged":{"type":"boolean","description":"Whether the mix is the closest to the model that there is; the shares hold in any case."}}};
const func2 = codePoints;

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.artifact === undefined) && (missing0 = "artifact")) || ((data.axes === undefined) && (missing0 = "axes"))) || ((data.dataset === undefined) && (missing0 = "dataset"))) || ((data.fingerprint === undefined) && (missing0 = "fingerprint"))) || ((data.gates === undefined) && (missing0 = "gates"))) || ((data.group === undefined) && (missing0 = "group"))) || ((data.ranges === undefined) && (missing0 = "ranges"))) || ((data.request === undefined) && (missing0 = "request"))) || ((data.rows === undefined) && (missing0 = "rows"))) || ((data.shares === undefined) && (missing0 = "shares"))) || ((data.status === undefined) && (missing0 = "status"))){
validate11.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.group !== undefined){
let data0 = data.group;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate11.errors = [{instancePath:instancePath+"/group",schemaPath:"#/properties/group/type",keyword:"type",params:{type: schema14.properties.group.type},message:"must be string,null"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.axes !== undefined){
let data1 = data.axes;
const _errs3 = errors;
if(errors === _errs3){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 in data1){
const _errs6 = errors;
if(typeof data1[key0] !== "string"){
validate11.errors = [{instancePath:instancePath+"/axes/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/axes/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/axes",schemaPath:"#/properties/axes/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fingerprint !== undefined){
let data3 = data.fingerprint;
const _errs8 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate11.errors = [{instancePath:instancePath+"/fingerprint",schemaPath:"#/properties/fingerprint/type",keyword:"type",params:{type: schema14.properties.fingerprint.type},message:"must be string,null"}];
return false;
}
if(errors === _errs8){
if(typeof data3 === "string"){
if(!pattern0.test(data3)){
validate11.errors = [{instancePath:instancePath+"/fingerprint",schemaPath:"#/properties/fingerprint/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dataset !== undefined){
const _errs10 = errors;
if(typeof data.dataset !== "string"){
validate11.errors = [{instancePath:instancePath+"/dataset",schemaPath:"#/properties/dataset/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.request !== undefined){
let data5 = data.request;
const _errs12 = errors;
const _errs13 = errors;
let valid2 = false;
const _errs14 = errors;
const _errs15 = errors;
if(errors === _errs15){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if((((data5.output_format === undefined) && (missing1 = "output_format")) || ((data5.row_count === undefined) && (missing1 = "row_count"))) || ((data5.seed === undefined) && (missing1 = "seed"))){
const err0 = {instancePath:instancePath+"/request",schemaPath:"#/definitions/request/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data5.conditions !== undefined){
let data6 = data5.conditions;
const _errs17 = errors;
if(errors === _errs17){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.categorical !== undefined){
let data7 = data6.categorical;
const _errs19 = errors;
if(errors === _errs19){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
for(const key1 in data7){
let data8 = data7[key1];
const _errs22 = errors;
if(errors === _errs22){
if(data8 && typeof data8 == "object" && !Array.isArray(data8)){
for(const key2 in data8){
let data9 = data8[key2];
const _errs25 = errors;
if(!((typeof data9 == "number") && (isFinite(data9)))){
const err1 = {instancePath:instancePath+"/request/conditions/categorical/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/request/properties/conditions/properties/categorical/additionalProperties/additionalProperties/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
var valid7 = _errs25 === errors;
if(!valid7){
break;
}
}
}
else {
const err2 = {instancePath:instancePath+"/request/conditions/categorical/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/request/properties/conditions/properties/categorical/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
var valid6 = _errs22 === errors;
if(!valid6){
break;
}
}
}
else {
const err3 = {instancePath:instancePath+"/request/conditions/categorical",schemaPath:"#/definitions/request/properties/conditions/properties/categorical/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
var valid5 = _errs19 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data6.numeric !== undefined){
let data10 = data6.numeric;
const _errs27 = errors;
if(errors === _errs27){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key3 in data10){
let data11 = data10[key3];
const _errs30 = errors;
if(errors === _errs30){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing2;
if(((data11.max === undefined) && (missing2 = "max")) || ((data11.min === undefined) && (missing2 = "min"))){
const err4 = {instancePath:instancePath+"/request/conditions/numeric/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/request/properties/conditions/properties/numeric/additionalProperties/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
else {
if(data11.min !== undefined){
let data12 = data11.min;
const _errs32 = errors;
if(!((typeof data12 == "number") && (isFinite(data12)))){
const err5 = {instancePath:instancePath+"/request/conditions/numeric/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/min",schemaPath:"#/definitions/request/properties/conditions/properties/numeric/additionalProperties/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var valid9 = _errs32 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data11.max !== undefined){
let data13 = data11.max;
const _errs34 = errors;
if(!((typeof data13 == "number") && (isFinite(data13)))){
const err6 = {instancePath:instancePath+"/request/conditions/numeric/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/max",schemaPath:"#/definitions/request/properties/conditions/properties/numeric/additionalProperties/properties/max/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid9 = _errs34 === errors;
}
else {
var valid9 = true;
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/request/conditions/numeric/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/request/properties/conditions/properties/numeric/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
var valid8 = _errs30 === errors;
if(!valid8){
break;
}
}
}
else {
const err8 = {instancePath:instancePath+"/request/conditions/numeric",schemaPath:"#/definitions/request/properties/conditions/properties/numeric/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var valid5 = _errs27 === errors;
}
else {
var valid5 = true;
}
}
}
else {
const err9 = {instancePath:instancePath+"/request/conditions",schemaPath:"#/definitions/request/properties/conditions/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
var valid4 = _errs17 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.output_format !== undefined){
const _errs36 = errors;
if(typeof data5.output_format !== "string"){
const err10 = {instancePath:instancePath+"/request/output_format",schemaPath:"#/definitions/request/properties/output_format/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
var valid4 = _errs36 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.row_count !== undefined){
let data15 = data5.row_count;
const _errs38 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err11 = {instancePath:instancePath+"/request/row_count",schemaPath:"#/definitions/request/properties/row_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(errors === _errs38){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 1 || isNaN(data15)){
const err12 = {instancePath:instancePath+"/request/row_count",schemaPath:"#/definitions/request/properties/row_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
var valid4 = _errs38 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data5.seed !== undefined){
let data16 = data5.seed;
const _errs40 = errors;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err13 = {instancePath:instancePath+"/request/seed",schemaPath:"#/definitions/request/properties/seed/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
var valid4 = _errs40 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
}
else {
const err14 = {instancePath:instancePath+"/request",schemaPath:"#/definitions/request/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
var _valid0 = _errs14 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const _errs42 = errors;
if(data5 !== null){
const err15 = {instancePath:instancePath+"/request",schemaPath:"#/properties/request/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
var _valid0 = _errs42 === errors;
valid2 = valid2 || _valid0;
}
if(!valid2){
const err16 = {instancePath:instancePath+"/request",schemaPath:"#/properties/request/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
validate11.errors = vErrors;
return false;
}
else {
errors = _errs13;
if(vErrors !== null){
if(_errs13){
vErrors.length = _errs13;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data17 = data.status;
const _errs44 = errors;
if(typeof data17 !== "string"){
validate11.errors = [{instancePath:instancePath+"/status",schemaPath:"#/definitions/status/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((((((data17 === "ready") || (data17 === "partial")) || (data17 === "failed")) || (data17 === "refused")) || (data17 === "not_started")) || (data17 === "running")) || (data17 === "interrupted"))){
validate11.errors = [{instancePath:instancePath+"/status",schemaPath:"#/definitions/status/enum",keyword:"enum",params:{allowedValues: schema16.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs44 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.rows !== undefined){
let data18 = data.rows;
const _errs47 = errors;
const _errs48 = errors;
if(errors === _errs48){
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
let missing3;
if(((((data18.counted === undefined) && (missing3 = "counted")) || ((data18.fill === undefined) && (missing3 = "fill"))) || ((data18.reported === undefined) && (missing3 = "reported"))) || ((data18.requested === undefined) && (missing3 = "requested"))){
validate11.errors = [{instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data18.requested !== undefined){
let data19 = data18.requested;
const _errs50 = errors;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
validate11.errors = [{instancePath:instancePath+"/rows/requested",schemaPath:"#/definitions/rows/properties/requested/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs50){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 < 1 || isNaN(data19)){
validate11.errors = [{instancePath:instancePath+"/rows/requested",schemaPath:"#/definitions/rows/properties/requested/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid12 = _errs50 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data18.reported !== undefined){
let data20 = data18.reported;
const _errs52 = errors;
if((!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))) && (data20 !== null)){
validate11.errors = [{instancePath:instancePath+"/rows/reported",schemaPath:"#/definitions/rows/properties/reported/type",keyword:"type",params:{type: schema17.properties.reported.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs52){
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 < 0 || isNaN(data20)){
validate11.errors = [{instancePath:instancePath+"/rows/reported",schemaPath:"#/definitions/rows/properties/reported/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid12 = _errs52 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data18.counted !== undefined){
let data21 = data18.counted;
const _errs54 = errors;
if((!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))) && (data21 !== null)){
validate11.errors = [{instancePath:instancePath+"/rows/counted",schemaPath:"#/definitions/rows/properties/counted/type",keyword:"type",params:{type: schema17.properties.counted.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs54){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 < 0 || isNaN(data21)){
validate11.errors = [{instancePath:instancePath+"/rows/counted",schemaPath:"#/definitions/rows/properties/counted/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid12 = _errs54 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data18.fill !== undefined){
let data22 = data18.fill;
const _errs56 = errors;
if((!((typeof data22 == "number") && (isFinite(data22)))) && (data22 !== null)){
validate11.errors = [{instancePath:instancePath+"/rows/fill",schemaPath:"#/definitions/rows/properties/fill/type",keyword:"type",params:{type: schema17.properties.fill.type},message:"must be number,null"}];
return false;
}
if(errors === _errs56){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
validate11.errors = [{instancePath:instancePath+"/rows/fill",schemaPath:"#/definitions/rows/properties/fill/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid12 = _errs56 === errors;
}
else {
var valid12 = true;
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/rows",schemaPath:"#/definitions/rows/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs47 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shares !== undefined){
let data23 = data.shares;
const _errs58 = errors;
if(errors === _errs58){
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
for(const key4 in data23){
let data24 = data23[key4];
const _errs61 = errors;
const _errs62 = errors;
if(errors === _errs62){
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
let missing4;
if(((data24.levels === undefined) && (missing4 = "levels")) || ((data24.unstated === undefined) && (missing4 = "unstated"))){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
if(data24.levels !== undefined){
let data25 = data24.levels;
const _errs64 = errors;
if(errors === _errs64){
if(data25 && typeof data25 == "object" && !Array.isArray(data25)){
for(const key5 in data25){
let data26 = data25[key5];
const _errs67 = errors;
if(errors === _errs67){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
let missing5;
if(((((data26.achieved === undefined) && (missing5 = "achieved")) || ((data26.count === undefined) && (missing5 = "count"))) || ((data26.delta === undefined) && (missing5 = "delta"))) || ((data26.target === undefined) && (missing5 = "target"))){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/properties/levels/additionalProperties/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"}];
return false;
}
else {
if(data26.target !== undefined){
let data27 = data26.target;
const _errs69 = errors;
if(!((typeof data27 == "number") && (isFinite(data27)))){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/target",schemaPath:"#/definitions/share/properties/levels/additionalProperties/properties/target/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid17 = _errs69 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data26.achieved !== undefined){
let data28 = data26.achieved;
const _errs71 = errors;
if(errors === _errs71){
if((typeof data28 == "number") && (isFinite(data28))){
if(data28 < 0 || isNaN(data28)){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved",schemaPath:"#/definitions/share/properties/levels/additionalProperties/properties/achieved/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved",schemaPath:"#/definitions/share/properties/levels/additionalProperties/properties/achieved/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid17 = _errs71 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data26.delta !== undefined){
let data29 = data26.delta;
const _errs73 = errors;
if(!((typeof data29 == "number") && (isFinite(data29)))){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/delta",schemaPath:"#/definitions/share/properties/levels/additionalProperties/properties/delta/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid17 = _errs73 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data26.count !== undefined){
let data30 = data26.count;
const _errs75 = errors;
if(!(((typeof data30 == "number") && (!(data30 % 1) && !isNaN(data30))) && (isFinite(data30)))){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/count",schemaPath:"#/definitions/share/properties/levels/additionalProperties/properties/count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs75){
if((typeof data30 == "number") && (isFinite(data30))){
if(data30 < 0 || isNaN(data30)){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/count",schemaPath:"#/definitions/share/properties/levels/additionalProperties/properties/count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid17 = _errs75 === errors;
}
else {
var valid17 = true;
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/properties/levels/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid16 = _errs67 === errors;
if(!valid16){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/levels",schemaPath:"#/definitions/share/properties/levels/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid15 = _errs64 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data24.unstated !== undefined){
let data31 = data24.unstated;
const _errs77 = errors;
if(errors === _errs77){
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
for(const key6 in data31){
let data32 = data31[key6];
const _errs80 = errors;
if(errors === _errs80){
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 < 0 || isNaN(data32)){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/unstated/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/properties/unstated/additionalProperties/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/unstated/" + key6.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/properties/unstated/additionalProperties/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid18 = _errs80 === errors;
if(!valid18){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/unstated",schemaPath:"#/definitions/share/properties/unstated/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid15 = _errs77 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data24.missing !== undefined){
let data33 = data24.missing;
const _errs82 = errors;
if(errors === _errs82){
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 < 0 || isNaN(data33)){
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/missing",schemaPath:"#/definitions/share/properties/missing/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/missing",schemaPath:"#/definitions/share/properties/missing/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid15 = _errs82 === errors;
}
else {
var valid15 = true;
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/share/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid13 = _errs61 === errors;
if(!valid13){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shares",schemaPath:"#/properties/shares/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs58 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.ranges !== undefined){
let data34 = data.ranges;
const _errs84 = errors;
if(errors === _errs84){
if(data34 && typeof data34 == "object" && !Array.isArray(data34)){
for(const key7 in data34){
let data35 = data34[key7];
const _errs87 = errors;
const _errs88 = errors;
if(errors === _errs88){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
let missing6;
if(((((data35.achieved === undefined) && (missing6 = "achieved")) || ((data35.outside === undefined) && (missing6 = "outside"))) || ((data35.outside_count === undefined) && (missing6 = "outside_count"))) || ((data35.target === undefined) && (missing6 = "target"))){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/range/required",keyword:"required",params:{missingProperty: missing6},message:"must have required property '"+missing6+"'"}];
return false;
}
else {
if(data35.target !== undefined){
let data36 = data35.target;
const _errs90 = errors;
if(errors === _errs90){
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
let missing7;
if(((data36.max === undefined) && (missing7 = "max")) || ((data36.min === undefined) && (missing7 = "min"))){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/target",schemaPath:"#/definitions/range/properties/target/required",keyword:"required",params:{missingProperty: missing7},message:"must have required property '"+missing7+"'"}];
return false;
}
else {
if(data36.min !== undefined){
let data37 = data36.min;
const _errs92 = errors;
if(!((typeof data37 == "number") && (isFinite(data37)))){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/target/min",schemaPath:"#/definitions/range/properties/target/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid22 = _errs92 === errors;
}
else {
var valid22 = true;
}
if(valid22){
if(data36.max !== undefined){
let data38 = data36.max;
const _errs94 = errors;
if(!((typeof data38 == "number") && (isFinite(data38)))){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/target/max",schemaPath:"#/definitions/range/properties/target/properties/max/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid22 = _errs94 === errors;
}
else {
var valid22 = true;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/target",schemaPath:"#/definitions/range/properties/target/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid21 = _errs90 === errors;
}
else {
var valid21 = true;
}
if(valid21){
if(data35.achieved !== undefined){
let data39 = data35.achieved;
const _errs96 = errors;
const _errs97 = errors;
let valid23 = false;
const _errs98 = errors;
if(errors === _errs98){
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
let missing8;
if(((data39.max === undefined) && (missing8 = "max")) || ((data39.min === undefined) && (missing8 = "min"))){
const err17 = {instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved",schemaPath:"#/definitions/range/properties/achieved/anyOf/0/required",keyword:"required",params:{missingProperty: missing8},message:"must have required property '"+missing8+"'"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
else {
if(data39.min !== undefined){
let data40 = data39.min;
const _errs100 = errors;
if(!((typeof data40 == "number") && (isFinite(data40)))){
const err18 = {instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved/min",schemaPath:"#/definitions/range/properties/achieved/anyOf/0/properties/min/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var valid24 = _errs100 === errors;
}
else {
var valid24 = true;
}
if(valid24){
if(data39.max !== undefined){
let data41 = data39.max;
const _errs102 = errors;
if(!((typeof data41 == "number") && (isFinite(data41)))){
const err19 = {instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved/max",schemaPath:"#/definitions/range/properties/achieved/anyOf/0/properties/max/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var valid24 = _errs102 === errors;
}
else {
var valid24 = true;
}
}
}
}
else {
const err20 = {instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved",schemaPath:"#/definitions/range/properties/achieved/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
var _valid1 = _errs98 === errors;
valid23 = valid23 || _valid1;
if(!valid23){
const _errs104 = errors;
if(data39 !== null){
const err21 = {instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved",schemaPath:"#/definitions/range/properties/achieved/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var _valid1 = _errs104 === errors;
valid23 = valid23 || _valid1;
}
if(!valid23){
const err22 = {instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/achieved",schemaPath:"#/definitions/range/properties/achieved/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
validate11.errors = vErrors;
return false;
}
else {
errors = _errs97;
if(vErrors !== null){
if(_errs97){
vErrors.length = _errs97;
}
else {
vErrors = null;
}
}
}
var valid21 = _errs96 === errors;
}
else {
var valid21 = true;
}
if(valid21){
if(data35.outside !== undefined){
let data42 = data35.outside;
const _errs106 = errors;
if(errors === _errs106){
if((typeof data42 == "number") && (isFinite(data42))){
if(data42 < 0 || isNaN(data42)){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/outside",schemaPath:"#/definitions/range/properties/outside/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/outside",schemaPath:"#/definitions/range/properties/outside/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid21 = _errs106 === errors;
}
else {
var valid21 = true;
}
if(valid21){
if(data35.outside_count !== undefined){
let data43 = data35.outside_count;
const _errs108 = errors;
if(!(((typeof data43 == "number") && (!(data43 % 1) && !isNaN(data43))) && (isFinite(data43)))){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/outside_count",schemaPath:"#/definitions/range/properties/outside_count/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs108){
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 < 0 || isNaN(data43)){
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1")+"/outside_count",schemaPath:"#/definitions/range/properties/outside_count/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid21 = _errs108 === errors;
}
else {
var valid21 = true;
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/ranges/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/range/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid19 = _errs87 === errors;
if(!valid19){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/ranges",schemaPath:"#/properties/ranges/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs84 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.artifact !== undefined){
let data44 = data.artifact;
const _errs110 = errors;
const _errs111 = errors;
let valid25 = false;
const _errs112 = errors;
const _errs113 = errors;
if(errors === _errs113){
if(data44 && typeof data44 == "object" && !Array.isArray(data44)){
let missing9;
if(((((data44.bytes === undefined) && (missing9 = "bytes")) || ((data44.format === undefined) && (missing9 = "format"))) || ((data44.path === undefined) && (missing9 = "path"))) || ((data44.sha256 === undefined) && (missing9 = "sha256"))){
const err23 = {instancePath:instancePath+"/artifact",schemaPath:"#/definitions/artifact/required",keyword:"required",params:{missingProperty: missing9},message:"must have required property '"+missing9+"'"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
else {
if(data44.path !== undefined){
const _errs115 = errors;
if(typeof data44.path !== "string"){
const err24 = {instancePath:instancePath+"/artifact/path",schemaPath:"#/definitions/artifact/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var valid27 = _errs115 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data44.format !== undefined){
let data46 = data44.format;
const _errs117 = errors;
if(typeof data46 !== "string"){
const err25 = {instancePath:instancePath+"/artifact/format",schemaPath:"#/definitions/artifact/properties/format/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(!(((data46 === "parquet") || (data46 === "csv")) || (data46 === "arrow"))){
const err26 = {instancePath:instancePath+"/artifact/format",schemaPath:"#/definitions/artifact/properties/format/enum",keyword:"enum",params:{allowedValues: schema20.properties.format.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
var valid27 = _errs117 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data44.bytes !== undefined){
let data47 = data44.bytes;
const _errs119 = errors;
if(!(((typeof data47 == "number") && (!(data47 % 1) && !isNaN(data47))) && (isFinite(data47)))){
const err27 = {instancePath:instancePath+"/artifact/bytes",schemaPath:"#/definitions/artifact/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(errors === _errs119){
if((typeof data47 == "number") && (isFinite(data47))){
if(data47 < 0 || isNaN(data47)){
const err28 = {instancePath:instancePath+"/artifact/bytes",schemaPath:"#/definitions/artifact/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
var valid27 = _errs119 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data44.sha256 !== undefined){
let data48 = data44.sha256;
const _errs121 = errors;
if(errors === _errs121){
if(typeof data48 === "string"){
if(!pattern0.test(data48)){
const err29 = {instancePath:instancePath+"/artifact/sha256",schemaPath:"#/definitions/artifact/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
else {
const err30 = {instancePath:instancePath+"/artifact/sha256",schemaPath:"#/definitions/artifact/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
var valid27 = _errs121 === errors;
}
else {
var valid27 = true;
}
}
}
}
}
}
else {
const err31 = {instancePath:instancePath+"/artifact",schemaPath:"#/definitions/artifact/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
var _valid2 = _errs112 === errors;
valid25 = valid25 || _valid2;
if(!valid25){
const _errs123 = errors;
if(data44 !== null){
const err32 = {instancePath:instancePath+"/artifact",schemaPath:"#/properties/artifact/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
var _valid2 = _errs123 === errors;
valid25 = valid25 || _valid2;
}
if(!valid25){
const err33 = {instancePath:instancePath+"/artifact",schemaPath:"#/properties/artifact/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
validate11.errors = vErrors;
return false;
}
else {
errors = _errs111;
if(vErrors !== null){
if(_errs111){
vErrors.length = _errs111;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs110 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gates !== undefined){
let data49 = data.gates;
const _errs125 = errors;
if(errors === _errs125){
if(Array.isArray(data49)){
var valid28 = true;
const len0 = data49.length;
for(let i0=0; i0<len0; i0++){
let data50 = data49[i0];
const _errs127 = errors;
const _errs128 = errors;
if(errors === _errs128){
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
let missing10;
if(((((((data50.actual === undefined) && (missing10 = "actual")) || ((data50.evaluated === undefined) && (missing10 = "evaluated"))) || ((data50.expected === undefined) && (missing10 = "expected"))) || ((data50.id === undefined) && (missing10 = "id"))) || ((data50.level === undefined) && (missing10 = "level"))) || ((data50.passed === undefined) && (missing10 = "passed"))){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0,schemaPath:"#/definitions/gate/required",keyword:"required",params:{missingProperty: missing10},message:"must have required property '"+missing10+"'"}];
return false;
}
else {
if(data50.id !== undefined){
const _errs130 = errors;
if(typeof data50.id !== "string"){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/id",schemaPath:"#/definitions/gate/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid30 = _errs130 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data50.level !== undefined){
let data52 = data50.level;
const _errs132 = errors;
if(typeof data52 !== "string"){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/level",schemaPath:"#/definitions/gate/properties/level/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data52 === "fail") || (data52 === "warn"))){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/level",schemaPath:"#/definitions/gate/properties/level/enum",keyword:"enum",params:{allowedValues: schema21.properties.level.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid30 = _errs132 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data50.evaluated !== undefined){
let data53 = data50.evaluated;
const _errs134 = errors;
if(!(((typeof data53 == "number") && (!(data53 % 1) && !isNaN(data53))) && (isFinite(data53)))){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/evaluated",schemaPath:"#/definitions/gate/properties/evaluated/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs134){
if((typeof data53 == "number") && (isFinite(data53))){
if(data53 < 0 || isNaN(data53)){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/evaluated",schemaPath:"#/definitions/gate/properties/evaluated/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid30 = _errs134 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data50.passed !== undefined){
const _errs136 = errors;
if(typeof data50.passed !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/passed",schemaPath:"#/definitions/gate/properties/passed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid30 = _errs136 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data50.expected !== undefined){
let data55 = data50.expected;
const _errs138 = errors;
if(errors === _errs138){
if(data55 && typeof data55 == "object" && !Array.isArray(data55)){
for(const key8 in data55){
let data56 = data55[key8];
const _errs141 = errors;
if((!((typeof data56 == "number") && (isFinite(data56)))) && (typeof data56 !== "string")){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/expected/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/gate/properties/expected/additionalProperties/type",keyword:"type",params:{type: schema21.properties.expected.additionalProperties.type},message:"must be number,string"}];
return false;
}
var valid31 = _errs141 === errors;
if(!valid31){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/expected",schemaPath:"#/definitions/gate/properties/expected/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid30 = _errs138 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data50.actual !== undefined){
let data57 = data50.actual;
const _errs143 = errors;
if((!((typeof data57 == "number") && (isFinite(data57)))) && (data57 !== null)){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/actual",schemaPath:"#/definitions/gate/properties/actual/type",keyword:"type",params:{type: schema21.properties.actual.type},message:"must be number,null"}];
return false;
}
var valid30 = _errs143 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data50.chance !== undefined){
let data58 = data50.chance;
const _errs145 = errors;
if(errors === _errs145){
if((typeof data58 == "number") && (isFinite(data58))){
if(data58 < 0 || isNaN(data58)){
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/chance",schemaPath:"#/definitions/gate/properties/chance/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/gates/" + i0+"/chance",schemaPath:"#/definitions/gate/properties/chance/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid30 = _errs145 === errors;
}
else {
var valid30 = true;
}
}
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/gates/" + i0,schemaPath:"#/definitions/gate/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid28 = _errs127 === errors;
if(!valid28){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/gates",schemaPath:"#/properties/gates/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs125 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.shortfall !== undefined){
let data59 = data.shortfall;
const _errs147 = errors;
const _errs148 = errors;
if(errors === _errs148){
if(data59 && typeof data59 == "object" && !Array.isArray(data59)){
let missing11;
if(((data59.binding === undefined) && (missing11 = "binding")) || ((data59.detail === undefined) && (missing11 = "detail"))){
validate11.errors = [{instancePath:instancePath+"/shortfall",schemaPath:"#/definitions/shortfall/required",keyword:"required",params:{missingProperty: missing11},message:"must have required property '"+missing11+"'"}];
return false;
}
else {
if(data59.detail !== undefined){
let data60 = data59.detail;
const _errs150 = errors;
if(errors === _errs150){
if(typeof data60 === "string"){
if(func2(data60) > 500){
validate11.errors = [{instancePath:instancePath+"/shortfall/detail",schemaPath:"#/definitions/shortfall/properties/detail/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shortfall/detail",schemaPath:"#/definitions/shortfall/properties/detail/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid33 = _errs150 === errors;
}
else {
var valid33 = true;
}
if(valid33){
if(data59.binding !== undefined){
let data61 = data59.binding;
const _errs152 = errors;
if(errors === _errs152){
if(Array.isArray(data61)){
var valid34 = true;
const len1 = data61.length;
for(let i1=0; i1<len1; i1++){
let data62 = data61[i1];
const _errs154 = errors;
if(errors === _errs154){
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
let missing12;
if((data62.column === undefined) && (missing12 = "column")){
validate11.errors = [{instancePath:instancePath+"/shortfall/binding/" + i1,schemaPath:"#/definitions/shortfall/properties/binding/items/required",keyword:"required",params:{missingProperty: missing12},message:"must have required property '"+missing12+"'"}];
return false;
}
else {
if(data62.column !== undefined){
const _errs156 = errors;
if(typeof data62.column !== "string"){
validate11.errors = [{instancePath:instancePath+"/shortfall/binding/" + i1+"/column",schemaPath:"#/definitions/shortfall/properties/binding/items/properties/column/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid35 = _errs156 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data62.level !== undefined){
const _errs158 = errors;
if(typeof data62.level !== "string"){
validate11.errors = [{instancePath:instancePath+"/shortfall/binding/" + i1+"/level",schemaPath:"#/definitions/shortfall/properties/binding/items/properties/level/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid35 = _errs158 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data62.target !== undefined){
let data65 = data62.target;
const _errs160 = errors;
if(!((typeof data65 == "number") && (isFinite(data65)))){
validate11.errors = [{instancePath:instancePath+"/shortfall/binding/" + i1+"/target",schemaPath:"#/definitions/shortfall/properties/binding/items/properties/target/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid35 = _errs160 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data62.seed_rows !== undefined){
let data66 = data62.seed_rows;
const _errs162 = errors;
if(!((typeof data66 == "number") && (isFinite(data66)))){
validate11.errors = [{instancePath:instancePath+"/shortfall/binding/" + i1+"/seed_rows",schemaPath:"#/definitions/shortfall/properties/binding/items/properties/seed_rows/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid35 = _errs162 === errors;
}
else {
var valid35 = true;
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shortfall/binding/" + i1,schemaPath:"#/definitions/shortfall/properties/binding/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid34 = _errs154 === errors;
if(!valid34){
break;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shortfall/binding",schemaPath:"#/definitions/shortfall/properties/binding/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid33 = _errs152 === errors;
}
else {
var valid33 = true;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/shortfall",schemaPath:"#/definitions/shortfall/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs147 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.evidence !== undefined){
let data67 = data.evidence;
const _errs164 = errors;
const _errs165 = errors;
if(errors === _errs165){
if(data67 && typeof data67 == "object" && !Array.isArray(data67)){
let missing13;
if(((data67.effective_rows === undefined) && (missing13 = "effective_rows")) || ((data67.largest_tilt === undefined) && (missing13 = "largest_tilt"))){
validate11.errors = [{instancePath:instancePath+"/evidence",schemaPath:"#/definitions/evidence/required",keyword:"required",params:{missingProperty: missing13},message:"must have required property '"+missing13+"'"}];
return false;
}
else {
if(data67.effective_rows !== undefined){
let data68 = data67.effective_rows;
const _errs167 = errors;
if(!((typeof data68 == "number") && (isFinite(data68)))){
validate11.errors = [{instancePath:instancePath+"/evidence/effective_rows",schemaPath:"#/definitions/evidence/properties/effective_rows/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid37 = _errs167 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data67.largest_tilt !== undefined){
let data69 = data67.largest_tilt;
const _errs169 = errors;
if(!((typeof data69 == "number") && (isFinite(data69)))){
validate11.errors = [{instancePath:instancePath+"/evidence/largest_tilt",schemaPath:"#/definitions/evidence/properties/largest_tilt/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid37 = _errs169 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data67.in_range_share !== undefined){
let data70 = data67.in_range_share;
const _errs171 = errors;
if(!((typeof data70 == "number") && (isFinite(data70)))){
validate11.errors = [{instancePath:instancePath+"/evidence/in_range_share",schemaPath:"#/definitions/evidence/properties/in_range_share/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid37 = _errs171 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data67.unlisted !== undefined){
let data71 = data67.unlisted;
const _errs173 = errors;
if(!((data71 === "unconditional") || (data71 === "conditional"))){
validate11.errors = [{instancePath:instancePath+"/evidence/unlisted",schemaPath:"#/definitions/evidence/properties/unlisted/enum",keyword:"enum",params:{allowedValues: schema23.properties.unlisted.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid37 = _errs173 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data67.low_support !== undefined){
const _errs174 = errors;
if(typeof data67.low_support !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/evidence/low_support",schemaPath:"#/definitions/evidence/properties/low_support/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid37 = _errs174 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data67.converged !== undefined){
const _errs176 = errors;
if(typeof data67.converged !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/evidence/converged",schemaPath:"#/definitions/evidence/properties/converged/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid37 = _errs176 === errors;
}
else {
var valid37 = true;
}
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/evidence",schemaPath:"#/definitions/evidence/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs164 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.partial !== undefined){
let data74 = data.partial;
const _errs178 = errors;
const _errs179 = errors;
let valid38 = false;
const _errs180 = errors;
if(typeof data74 !== "string"){
const err34 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
if(!(((data74 === "accept") || (data74 === "warn")) || (data74 === "fail"))){
const err35 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/anyOf/0/enum",keyword:"enum",params:{allowedValues: schema14.properties.partial.anyOf[0].enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
var _valid3 = _errs180 === errors;
valid38 = valid38 || _valid3;
if(!valid38){
const _errs182 = errors;
if(errors === _errs182){
if(data74 && typeof data74 == "object" && !Array.isArray(data74)){
let missing14;
if(((data74.accept_from === undefined) && (missing14 = "accept_from")) || ((data74.otherwise === undefined) && (missing14 = "otherwise"))){
const err36 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/anyOf/1/required",keyword:"required",params:{missingProperty: missing14},message:"must have required property '"+missing14+"'"};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
else {
if(data74.accept_from !== undefined){
let data75 = data74.accept_from;
const _errs184 = errors;
if(!((typeof data75 == "number") && (isFinite(data75)))){
const err37 = {instancePath:instancePath+"/partial/accept_from",schemaPath:"#/properties/partial/anyOf/1/properties/accept_from/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
var valid39 = _errs184 === errors;
}
else {
var valid39 = true;
}
if(valid39){
if(data74.otherwise !== undefined){
let data76 = data74.otherwise;
const _errs186 = errors;
if(typeof data76 !== "string"){
const err38 = {instancePath:instancePath+"/partial/otherwise",schemaPath:"#/properties/partial/anyOf/1/properties/otherwise/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(!((data76 === "warn") || (data76 === "fail"))){
const err39 = {instancePath:instancePath+"/partial/otherwise",schemaPath:"#/properties/partial/anyOf/1/properties/otherwise/enum",keyword:"enum",params:{allowedValues: schema14.properties.partial.anyOf[1].properties.otherwise.enum},message:"must be equal to one of the allowed values"};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
var valid39 = _errs186 === errors;
}
else {
var valid39 = true;
}
}
}
}
else {
const err40 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/anyOf/1/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
var _valid3 = _errs182 === errors;
valid38 = valid38 || _valid3;
}
if(!valid38){
const err41 = {instancePath:instancePath+"/partial",schemaPath:"#/properties/partial/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
validate11.errors = vErrors;
return false;
}
else {
errors = _errs179;
if(vErrors !== null){
if(_errs179){
vErrors.length = _errs179;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs178 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.error !== undefined){
let data77 = data.error;
const _errs188 = errors;
if(errors === _errs188){
if(data77 && typeof data77 == "object" && !Array.isArray(data77)){
let missing15;
if(((data77.code === undefined) && (missing15 = "code")) || ((data77.detail === undefined) && (missing15 = "detail"))){
validate11.errors = [{instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: missing15},message:"must have required property '"+missing15+"'"}];
return false;
}
else {
if(data77.code !== undefined){
const _errs190 = errors;
if(typeof data77.code !== "string"){
validate11.errors = [{instancePath:instancePath+"/error/code",schemaPath:"#/properties/error/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid40 = _errs190 === errors;
}
else {
var valid40 = true;
}
if(valid40){
if(data77.detail !== undefined){
let data79 = data77.detail;
const _errs192 = errors;
if(errors === _errs192){
if(typeof data79 === "string"){
if(func2(data79) > 500){
validate11.errors = [{instancePath:instancePath+"/error/detail",schemaPath:"#/properties/error/properties/detail/maxLength",keyword:"maxLength",params:{limit: 500},message:"must NOT have more than 500 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/error/detail",schemaPath:"#/properties/error/properties/detail/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid40 = _errs192 === errors;
}
else {
var valid40 = true;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs188 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}

const schema24 = {"type":"object","required":["against","gates","scenarios"],"properties":{"against":{"type":"string"},"scenarios":{"type":"object","additionalProperties":{"type":"object","required":["means","shares","status"],"properties":{"status":{"type":"string","enum":["compared","mixed_model","missing"]},"shares":{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"object","required":["against","delta","scenario"],"properties":{"against":{"type":"number","minimum":0},"scenario":{"type":"number","minimum":0},"delta":{"type":"number"}}}}},"means":{"type":"object","additionalProperties":{"type":"object","required":["against","delta","scenario"],"properties":{"against":{"anyOf":[{"$ref":"#/definitions/statistics"},{"type":"null"}]},"scenario":{"anyOf":[{"$ref":"#/definitions/statistics"},{"type":"null"}]},"delta":{"type":["number","null"]}}}}}}},"gates":{"type":"array","items":{"$ref":"#/definitions/gate"}}}};
const schema25 = {"type":"object","required":["mean","n","q05","q25","q50","q75","q95","sd"],"properties":{"n":{"type":"integer","minimum":0},"mean":{"type":"number"},"sd":{"type":["number","null"]},"q05":{"type":"number"},"q25":{"type":"number"},"q50":{"type":"number"},"q75":{"type":"number"},"q95":{"type":"number"}}};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.against === undefined) && (missing0 = "against")) || ((data.gates === undefined) && (missing0 = "gates"))) || ((data.scenarios === undefined) && (missing0 = "scenarios"))){
validate13.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.against !== undefined){
const _errs1 = errors;
if(typeof data.against !== "string"){
validate13.errors = [{instancePath:instancePath+"/against",schemaPath:"#/properties/against/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scenarios !== undefined){
let data1 = data.scenarios;
const _errs3 = errors;
if(errors === _errs3){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
for(const key0 in data1){
let data2 = data1[key0];
const _errs6 = errors;
if(errors === _errs6){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if((((data2.means === undefined) && (missing1 = "means")) || ((data2.shares === undefined) && (missing1 = "shares"))) || ((data2.status === undefined) && (missing1 = "status"))){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data2.status !== undefined){
let data3 = data2.status;
const _errs8 = errors;
if(typeof data3 !== "string"){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/status",schemaPath:"#/properties/scenarios/additionalProperties/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data3 === "compared") || (data3 === "mixed_model")) || (data3 === "missing"))){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/status",schemaPath:"#/properties/scenarios/additionalProperties/properties/status/enum",keyword:"enum",params:{allowedValues: schema24.properties.scenarios.additionalProperties.properties.status.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid2 = _errs8 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.shares !== undefined){
let data4 = data2.shares;
const _errs10 = errors;
if(errors === _errs10){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key1 in data4){
let data5 = data4[key1];
const _errs13 = errors;
if(errors === _errs13){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
for(const key2 in data5){
let data6 = data5[key2];
const _errs16 = errors;
if(errors === _errs16){
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
let missing2;
if((((data6.against === undefined) && (missing2 = "against")) || ((data6.delta === undefined) && (missing2 = "delta"))) || ((data6.scenario === undefined) && (missing2 = "scenario"))){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data6.against !== undefined){
let data7 = data6.against;
const _errs18 = errors;
if(errors === _errs18){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 < 0 || isNaN(data7)){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/against",schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/properties/against/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/against",schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/properties/against/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid5 = _errs18 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data6.scenario !== undefined){
let data8 = data6.scenario;
const _errs20 = errors;
if(errors === _errs20){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 < 0 || isNaN(data8)){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario",schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/properties/scenario/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario",schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/properties/scenario/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid5 = _errs20 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data6.delta !== undefined){
let data9 = data6.delta;
const _errs22 = errors;
if(!((typeof data9 == "number") && (isFinite(data9)))){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/delta",schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/properties/delta/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid5 = _errs22 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs16 === errors;
if(!valid4){
break;
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs13 === errors;
if(!valid3){
break;
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/shares",schemaPath:"#/properties/scenarios/additionalProperties/properties/shares/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs10 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data2.means !== undefined){
let data10 = data2.means;
const _errs24 = errors;
if(errors === _errs24){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key3 in data10){
let data11 = data10[key3];
const _errs27 = errors;
if(errors === _errs27){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing3;
if((((data11.against === undefined) && (missing3 = "against")) || ((data11.delta === undefined) && (missing3 = "delta"))) || ((data11.scenario === undefined) && (missing3 = "scenario"))){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data11.against !== undefined){
let data12 = data11.against;
const _errs29 = errors;
const _errs30 = errors;
let valid8 = false;
const _errs31 = errors;
const _errs32 = errors;
if(errors === _errs32){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
let missing4;
if(((((((((data12.mean === undefined) && (missing4 = "mean")) || ((data12.n === undefined) && (missing4 = "n"))) || ((data12.q05 === undefined) && (missing4 = "q05"))) || ((data12.q25 === undefined) && (missing4 = "q25"))) || ((data12.q50 === undefined) && (missing4 = "q50"))) || ((data12.q75 === undefined) && (missing4 = "q75"))) || ((data12.q95 === undefined) && (missing4 = "q95"))) || ((data12.sd === undefined) && (missing4 = "sd"))){
const err0 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against",schemaPath:"#/definitions/statistics/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data12.n !== undefined){
let data13 = data12.n;
const _errs34 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err1 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/n",schemaPath:"#/definitions/statistics/properties/n/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(errors === _errs34){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
const err2 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/n",schemaPath:"#/definitions/statistics/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
var valid10 = _errs34 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.mean !== undefined){
let data14 = data12.mean;
const _errs36 = errors;
if(!((typeof data14 == "number") && (isFinite(data14)))){
const err3 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/mean",schemaPath:"#/definitions/statistics/properties/mean/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var valid10 = _errs36 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.sd !== undefined){
let data15 = data12.sd;
const _errs38 = errors;
if((!((typeof data15 == "number") && (isFinite(data15)))) && (data15 !== null)){
const err4 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/sd",schemaPath:"#/definitions/statistics/properties/sd/type",keyword:"type",params:{type: schema25.properties.sd.type},message:"must be number,null"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var valid10 = _errs38 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.q05 !== undefined){
let data16 = data12.q05;
const _errs40 = errors;
if(!((typeof data16 == "number") && (isFinite(data16)))){
const err5 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/q05",schemaPath:"#/definitions/statistics/properties/q05/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var valid10 = _errs40 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.q25 !== undefined){
let data17 = data12.q25;
const _errs42 = errors;
if(!((typeof data17 == "number") && (isFinite(data17)))){
const err6 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/q25",schemaPath:"#/definitions/statistics/properties/q25/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid10 = _errs42 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.q50 !== undefined){
let data18 = data12.q50;
const _errs44 = errors;
if(!((typeof data18 == "number") && (isFinite(data18)))){
const err7 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/q50",schemaPath:"#/definitions/statistics/properties/q50/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var valid10 = _errs44 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.q75 !== undefined){
let data19 = data12.q75;
const _errs46 = errors;
if(!((typeof data19 == "number") && (isFinite(data19)))){
const err8 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/q75",schemaPath:"#/definitions/statistics/properties/q75/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var valid10 = _errs46 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data12.q95 !== undefined){
let data20 = data12.q95;
const _errs48 = errors;
if(!((typeof data20 == "number") && (isFinite(data20)))){
const err9 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against/q95",schemaPath:"#/definitions/statistics/properties/q95/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
var valid10 = _errs48 === errors;
}
else {
var valid10 = true;
}
}
}
}
}
}
}
}
}
}
else {
const err10 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against",schemaPath:"#/definitions/statistics/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
var _valid0 = _errs31 === errors;
valid8 = valid8 || _valid0;
if(!valid8){
const _errs50 = errors;
if(data12 !== null){
const err11 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against",schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/properties/against/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
var _valid0 = _errs50 === errors;
valid8 = valid8 || _valid0;
}
if(!valid8){
const err12 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/against",schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/properties/against/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
validate13.errors = vErrors;
return false;
}
else {
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
}
var valid7 = _errs29 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data11.scenario !== undefined){
let data21 = data11.scenario;
const _errs52 = errors;
const _errs53 = errors;
let valid11 = false;
const _errs54 = errors;
const _errs55 = errors;
if(errors === _errs55){
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
let missing5;
if(((((((((data21.mean === undefined) && (missing5 = "mean")) || ((data21.n === undefined) && (missing5 = "n"))) || ((data21.q05 === undefined) && (missing5 = "q05"))) || ((data21.q25 === undefined) && (missing5 = "q25"))) || ((data21.q50 === undefined) && (missing5 = "q50"))) || ((data21.q75 === undefined) && (missing5 = "q75"))) || ((data21.q95 === undefined) && (missing5 = "q95"))) || ((data21.sd === undefined) && (missing5 = "sd"))){
const err13 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario",schemaPath:"#/definitions/statistics/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
else {
if(data21.n !== undefined){
let data22 = data21.n;
const _errs57 = errors;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
const err14 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/n",schemaPath:"#/definitions/statistics/properties/n/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(errors === _errs57){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
const err15 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/n",schemaPath:"#/definitions/statistics/properties/n/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
}
var valid13 = _errs57 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.mean !== undefined){
let data23 = data21.mean;
const _errs59 = errors;
if(!((typeof data23 == "number") && (isFinite(data23)))){
const err16 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/mean",schemaPath:"#/definitions/statistics/properties/mean/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var valid13 = _errs59 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.sd !== undefined){
let data24 = data21.sd;
const _errs61 = errors;
if((!((typeof data24 == "number") && (isFinite(data24)))) && (data24 !== null)){
const err17 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/sd",schemaPath:"#/definitions/statistics/properties/sd/type",keyword:"type",params:{type: schema25.properties.sd.type},message:"must be number,null"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
var valid13 = _errs61 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.q05 !== undefined){
let data25 = data21.q05;
const _errs63 = errors;
if(!((typeof data25 == "number") && (isFinite(data25)))){
const err18 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/q05",schemaPath:"#/definitions/statistics/properties/q05/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var valid13 = _errs63 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.q25 !== undefined){
let data26 = data21.q25;
const _errs65 = errors;
if(!((typeof data26 == "number") && (isFinite(data26)))){
const err19 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/q25",schemaPath:"#/definitions/statistics/properties/q25/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var valid13 = _errs65 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.q50 !== undefined){
let data27 = data21.q50;
const _errs67 = errors;
if(!((typeof data27 == "number") && (isFinite(data27)))){
const err20 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/q50",schemaPath:"#/definitions/statistics/properties/q50/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
var valid13 = _errs67 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.q75 !== undefined){
let data28 = data21.q75;
const _errs69 = errors;
if(!((typeof data28 == "number") && (isFinite(data28)))){
const err21 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/q75",schemaPath:"#/definitions/statistics/properties/q75/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var valid13 = _errs69 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data21.q95 !== undefined){
let data29 = data21.q95;
const _errs71 = errors;
if(!((typeof data29 == "number") && (isFinite(data29)))){
const err22 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario/q95",schemaPath:"#/definitions/statistics/properties/q95/type",keyword:"type",params:{type: "number"},message:"must be number"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
var valid13 = _errs71 === errors;
}
else {
var valid13 = true;
}
}
}
}
}
}
}
}
}
}
else {
const err23 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario",schemaPath:"#/definitions/statistics/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
var _valid1 = _errs54 === errors;
valid11 = valid11 || _valid1;
if(!valid11){
const _errs73 = errors;
if(data21 !== null){
const err24 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario",schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/properties/scenario/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var _valid1 = _errs73 === errors;
valid11 = valid11 || _valid1;
}
if(!valid11){
const err25 = {instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/scenario",schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/properties/scenario/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
validate13.errors = vErrors;
return false;
}
else {
errors = _errs53;
if(vErrors !== null){
if(_errs53){
vErrors.length = _errs53;
}
else {
vErrors = null;
}
}
}
var valid7 = _errs52 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data11.delta !== undefined){
let data30 = data11.delta;
const _errs75 = errors;
if((!((typeof data30 == "number") && (isFinite(data30)))) && (data30 !== null)){
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/delta",schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/properties/delta/type",keyword:"type",params:{type: schema24.properties.scenarios.additionalProperties.properties.means.additionalProperties.properties.delta.type},message:"must be number,null"}];
return false;
}
var valid7 = _errs75 === errors;
}
else {
var valid7 = true;
}
}
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/properties/means/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid6 = _errs27 === errors;
if(!valid6){
break;
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/means",schemaPath:"#/properties/scenarios/additionalProperties/properties/means/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs24 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/scenarios/additionalProperties/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs6 === errors;
if(!valid1){
break;
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gates !== undefined){
let data31 = data.gates;
const _errs77 = errors;
if(errors === _errs77){
if(Array.isArray(data31)){
var valid14 = true;
const len0 = data31.length;
for(let i0=0; i0<len0; i0++){
let data32 = data31[i0];
const _errs79 = errors;
const _errs80 = errors;
if(errors === _errs80){
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
let missing6;
if(((((((data32.actual === undefined) && (missing6 = "actual")) || ((data32.evaluated === undefined) && (missing6 = "evaluated"))) || ((data32.expected === undefined) && (missing6 = "expected"))) || ((data32.id === undefined) && (missing6 = "id"))) || ((data32.level === undefined) && (missing6 = "level"))) || ((data32.passed === undefined) && (missing6 = "passed"))){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0,schemaPath:"#/definitions/gate/required",keyword:"required",params:{missingProperty: missing6},message:"must have required property '"+missing6+"'"}];
return false;
}
else {
if(data32.id !== undefined){
const _errs82 = errors;
if(typeof data32.id !== "string"){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/id",schemaPath:"#/definitions/gate/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid16 = _errs82 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data32.level !== undefined){
let data34 = data32.level;
const _errs84 = errors;
if(typeof data34 !== "string"){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/level",schemaPath:"#/definitions/gate/properties/level/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data34 === "fail") || (data34 === "warn"))){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/level",schemaPath:"#/definitions/gate/properties/level/enum",keyword:"enum",params:{allowedValues: schema21.properties.level.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid16 = _errs84 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data32.evaluated !== undefined){
let data35 = data32.evaluated;
const _errs86 = errors;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/evaluated",schemaPath:"#/definitions/gate/properties/evaluated/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs86){
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 < 0 || isNaN(data35)){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/evaluated",schemaPath:"#/definitions/gate/properties/evaluated/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid16 = _errs86 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data32.passed !== undefined){
const _errs88 = errors;
if(typeof data32.passed !== "boolean"){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/passed",schemaPath:"#/definitions/gate/properties/passed/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid16 = _errs88 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data32.expected !== undefined){
let data37 = data32.expected;
const _errs90 = errors;
if(errors === _errs90){
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
for(const key4 in data37){
let data38 = data37[key4];
const _errs93 = errors;
if((!((typeof data38 == "number") && (isFinite(data38)))) && (typeof data38 !== "string")){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/expected/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/gate/properties/expected/additionalProperties/type",keyword:"type",params:{type: schema21.properties.expected.additionalProperties.type},message:"must be number,string"}];
return false;
}
var valid17 = _errs93 === errors;
if(!valid17){
break;
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/expected",schemaPath:"#/definitions/gate/properties/expected/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid16 = _errs90 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data32.actual !== undefined){
let data39 = data32.actual;
const _errs95 = errors;
if((!((typeof data39 == "number") && (isFinite(data39)))) && (data39 !== null)){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/actual",schemaPath:"#/definitions/gate/properties/actual/type",keyword:"type",params:{type: schema21.properties.actual.type},message:"must be number,null"}];
return false;
}
var valid16 = _errs95 === errors;
}
else {
var valid16 = true;
}
if(valid16){
if(data32.chance !== undefined){
let data40 = data32.chance;
const _errs97 = errors;
if(errors === _errs97){
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 < 0 || isNaN(data40)){
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/chance",schemaPath:"#/definitions/gate/properties/chance/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/gates/" + i0+"/chance",schemaPath:"#/definitions/gate/properties/chance/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid16 = _errs97 === errors;
}
else {
var valid16 = true;
}
}
}
}
}
}
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/gates/" + i0,schemaPath:"#/definitions/gate/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid14 = _errs79 === errors;
if(!valid14){
break;
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/gates",schemaPath:"#/properties/gates/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs77 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate13.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate13.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="manifest" */;
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((data.comparisons === undefined) && (missing0 = "comparisons")) || ((data.datasets === undefined) && (missing0 = "datasets"))) || ((data.diagnostics === undefined) && (missing0 = "diagnostics"))) || ((data.manifest_version === undefined) && (missing0 = "manifest_version"))) || ((data.outcome === undefined) && (missing0 = "outcome"))) || ((data.run === undefined) && (missing0 = "run"))) || ((data.scenarios === undefined) && (missing0 = "scenarios"))) || ((data.status === undefined) && (missing0 = "status"))) || ((data.study === undefined) && (missing0 = "study"))) || ((data.totals === undefined) && (missing0 = "totals"))) || ((data.trace === undefined) && (missing0 = "trace"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.manifest_version !== undefined){
const _errs1 = errors;
if(1 !== data.manifest_version){
validate10.errors = [{instancePath:instancePath+"/manifest_version",schemaPath:"#/properties/manifest_version/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.study !== undefined){
let data1 = data.study;
const _errs2 = errors;
if(errors === _errs2){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((((data1.baseline === undefined) && (missing1 = "baseline")) || ((data1.digest === undefined) && (missing1 = "digest"))) || ((data1.name === undefined) && (missing1 = "name"))) || ((data1.version === undefined) && (missing1 = "version"))){
validate10.errors = [{instancePath:instancePath+"/study",schemaPath:"#/properties/study/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.name !== undefined){
const _errs4 = errors;
if(typeof data1.name !== "string"){
validate10.errors = [{instancePath:instancePath+"/study/name",schemaPath:"#/properties/study/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs4 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1.version !== undefined){
const _errs6 = errors;
if(1 !== data1.version){
validate10.errors = [{instancePath:instancePath+"/study/version",schemaPath:"#/properties/study/properties/version/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid1 = _errs6 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1.digest !== undefined){
let data4 = data1.digest;
const _errs7 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate10.errors = [{instancePath:instancePath+"/study/digest",schemaPath:"#/properties/study/properties/digest/type",keyword:"type",params:{type: schema11.properties.study.properties.digest.type},message:"must be string,null"}];
return false;
}
if(errors === _errs7){
if(typeof data4 === "string"){
if(!pattern0.test(data4)){
validate10.errors = [{instancePath:instancePath+"/study/digest",schemaPath:"#/properties/study/properties/digest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1.baseline !== undefined){
let data5 = data1.baseline;
const _errs9 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate10.errors = [{instancePath:instancePath+"/study/baseline",schemaPath:"#/properties/study/properties/baseline/type",keyword:"type",params:{type: schema11.properties.study.properties.baseline.type},message:"must be string,null"}];
return false;
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/study",schemaPath:"#/properties/study/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.status !== undefined){
let data6 = data.status;
const _errs11 = errors;
if(typeof data6 !== "string"){
validate10.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((((data6 === "running") || (data6 === "complete")) || (data6 === "interrupted")) || (data6 === "refused"))){
validate10.errors = [{instancePath:instancePath+"/status",schemaPath:"#/properties/status/enum",keyword:"enum",params:{allowedValues: schema11.properties.status.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.outcome !== undefined){
let data7 = data.outcome;
const _errs13 = errors;
const _errs14 = errors;
let valid2 = false;
const _errs15 = errors;
const _errs16 = errors;
if(errors === _errs16){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing2;
if((((data7.also === undefined) && (missing2 = "also")) || ((data7.exit_code === undefined) && (missing2 = "exit_code"))) || ((data7.reason === undefined) && (missing2 = "reason"))){
const err0 = {instancePath:instancePath+"/outcome",schemaPath:"#/definitions/outcome/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(data7.exit_code !== undefined){
let data8 = data7.exit_code;
const _errs18 = errors;
if(!(((typeof data8 == "number") && (!(data8 % 1) && !isNaN(data8))) && (isFinite(data8)))){
const err1 = {instancePath:instancePath+"/outcome/exit_code",schemaPath:"#/definitions/outcome/properties/exit_code/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(errors === _errs18){
if((typeof data8 == "number") && (isFinite(data8))){
if(data8 > 255 || isNaN(data8)){
const err2 = {instancePath:instancePath+"/outcome/exit_code",schemaPath:"#/definitions/outcome/properties/exit_code/maximum",keyword:"maximum",params:{comparison: "<=", limit: 255},message:"must be <= 255"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
if(data8 < 0 || isNaN(data8)){
const err3 = {instancePath:instancePath+"/outcome/exit_code",schemaPath:"#/definitions/outcome/properties/exit_code/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
}
var valid4 = _errs18 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.reason !== undefined){
const _errs20 = errors;
if(typeof data7.reason !== "string"){
const err4 = {instancePath:instancePath+"/outcome/reason",schemaPath:"#/definitions/outcome/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
var valid4 = _errs20 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.also !== undefined){
let data10 = data7.also;
const _errs22 = errors;
if(errors === _errs22){
if(Array.isArray(data10)){
var valid5 = true;
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
const _errs24 = errors;
if(typeof data10[i0] !== "string"){
const err5 = {instancePath:instancePath+"/outcome/also/" + i0,schemaPath:"#/definitions/outcome/properties/also/items/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
var valid5 = _errs24 === errors;
if(!valid5){
break;
}
}
}
else {
const err6 = {instancePath:instancePath+"/outcome/also",schemaPath:"#/definitions/outcome/properties/also/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var valid4 = _errs22 === errors;
}
else {
var valid4 = true;
}
}
}
}
}
else {
const err7 = {instancePath:instancePath+"/outcome",schemaPath:"#/definitions/outcome/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
var _valid0 = _errs15 === errors;
valid2 = valid2 || _valid0;
if(!valid2){
const _errs26 = errors;
if(data7 !== null){
const err8 = {instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid0 = _errs26 === errors;
valid2 = valid2 || _valid0;
}
if(!valid2){
const err9 = {instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs14;
if(vErrors !== null){
if(_errs14){
vErrors.length = _errs14;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.totals !== undefined){
let data12 = data.totals;
const _errs28 = errors;
if(errors === _errs28){
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
let missing3;
if(((((((((((data12.failed === undefined) && (missing3 = "failed")) || ((data12.interrupted === undefined) && (missing3 = "interrupted"))) || ((data12.not_started === undefined) && (missing3 = "not_started"))) || ((data12.partial === undefined) && (missing3 = "partial"))) || ((data12.ready === undefined) && (missing3 = "ready"))) || ((data12.refused === undefined) && (missing3 = "refused"))) || ((data12.rows_generated === undefined) && (missing3 = "rows_generated"))) || ((data12.rows_requested === undefined) && (missing3 = "rows_requested"))) || ((data12.running === undefined) && (missing3 = "running"))) || ((data12.scenarios === undefined) && (missing3 = "scenarios"))){
validate10.errors = [{instancePath:instancePath+"/totals",schemaPath:"#/properties/totals/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data12.scenarios !== undefined){
let data13 = data12.scenarios;
const _errs30 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate10.errors = [{instancePath:instancePath+"/totals/scenarios",schemaPath:"#/properties/totals/properties/scenarios/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs30){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
validate10.errors = [{instancePath:instancePath+"/totals/scenarios",schemaPath:"#/properties/totals/properties/scenarios/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs30 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.ready !== undefined){
let data14 = data12.ready;
const _errs32 = errors;
if(!(((typeof data14 == "number") && (!(data14 % 1) && !isNaN(data14))) && (isFinite(data14)))){
validate10.errors = [{instancePath:instancePath+"/totals/ready",schemaPath:"#/properties/totals/properties/ready/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs32){
if((typeof data14 == "number") && (isFinite(data14))){
if(data14 < 0 || isNaN(data14)){
validate10.errors = [{instancePath:instancePath+"/totals/ready",schemaPath:"#/properties/totals/properties/ready/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs32 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.partial !== undefined){
let data15 = data12.partial;
const _errs34 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
validate10.errors = [{instancePath:instancePath+"/totals/partial",schemaPath:"#/properties/totals/properties/partial/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs34){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 < 0 || isNaN(data15)){
validate10.errors = [{instancePath:instancePath+"/totals/partial",schemaPath:"#/properties/totals/properties/partial/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs34 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.failed !== undefined){
let data16 = data12.failed;
const _errs36 = errors;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
validate10.errors = [{instancePath:instancePath+"/totals/failed",schemaPath:"#/properties/totals/properties/failed/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs36){
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 < 0 || isNaN(data16)){
validate10.errors = [{instancePath:instancePath+"/totals/failed",schemaPath:"#/properties/totals/properties/failed/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs36 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.refused !== undefined){
let data17 = data12.refused;
const _errs38 = errors;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
validate10.errors = [{instancePath:instancePath+"/totals/refused",schemaPath:"#/properties/totals/properties/refused/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs38){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 0 || isNaN(data17)){
validate10.errors = [{instancePath:instancePath+"/totals/refused",schemaPath:"#/properties/totals/properties/refused/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs38 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.not_started !== undefined){
let data18 = data12.not_started;
const _errs40 = errors;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
validate10.errors = [{instancePath:instancePath+"/totals/not_started",schemaPath:"#/properties/totals/properties/not_started/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs40){
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 < 0 || isNaN(data18)){
validate10.errors = [{instancePath:instancePath+"/totals/not_started",schemaPath:"#/properties/totals/properties/not_started/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs40 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.running !== undefined){
let data19 = data12.running;
const _errs42 = errors;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
validate10.errors = [{instancePath:instancePath+"/totals/running",schemaPath:"#/properties/totals/properties/running/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs42){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 < 0 || isNaN(data19)){
validate10.errors = [{instancePath:instancePath+"/totals/running",schemaPath:"#/properties/totals/properties/running/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs42 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.interrupted !== undefined){
let data20 = data12.interrupted;
const _errs44 = errors;
if(!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))){
validate10.errors = [{instancePath:instancePath+"/totals/interrupted",schemaPath:"#/properties/totals/properties/interrupted/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs44){
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 < 0 || isNaN(data20)){
validate10.errors = [{instancePath:instancePath+"/totals/interrupted",schemaPath:"#/properties/totals/properties/interrupted/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs44 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.rows_requested !== undefined){
let data21 = data12.rows_requested;
const _errs46 = errors;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
validate10.errors = [{instancePath:instancePath+"/totals/rows_requested",schemaPath:"#/properties/totals/properties/rows_requested/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs46){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 < 0 || isNaN(data21)){
validate10.errors = [{instancePath:instancePath+"/totals/rows_requested",schemaPath:"#/properties/totals/properties/rows_requested/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs46 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data12.rows_generated !== undefined){
let data22 = data12.rows_generated;
const _errs48 = errors;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
validate10.errors = [{instancePath:instancePath+"/totals/rows_generated",schemaPath:"#/properties/totals/properties/rows_generated/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs48){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
validate10.errors = [{instancePath:instancePath+"/totals/rows_generated",schemaPath:"#/properties/totals/properties/rows_generated/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid6 = _errs48 === errors;
}
else {
var valid6 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/totals",schemaPath:"#/properties/totals/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.datasets !== undefined){
let data23 = data.datasets;
const _errs50 = errors;
if(errors === _errs50){
if(data23 && typeof data23 == "object" && !Array.isArray(data23)){
for(const key0 in data23){
let data24 = data23[key0];
const _errs53 = errors;
const _errs54 = errors;
if(errors === _errs54){
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
let missing4;
if((((((data24.cleaning === undefined) && (missing4 = "cleaning")) || ((data24.fingerprint === undefined) && (missing4 = "fingerprint"))) || ((data24.schema_sha256 === undefined) && (missing4 = "schema_sha256"))) || ((data24.sha256 === undefined) && (missing4 = "sha256"))) || ((data24.source === undefined) && (missing4 = "source"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/dataset/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
if(data24.fingerprint !== undefined){
let data25 = data24.fingerprint;
const _errs56 = errors;
if((typeof data25 !== "string") && (data25 !== null)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/fingerprint",schemaPath:"#/definitions/dataset/properties/fingerprint/type",keyword:"type",params:{type: schema13.properties.fingerprint.type},message:"must be string,null"}];
return false;
}
if(errors === _errs56){
if(typeof data25 === "string"){
if(!pattern0.test(data25)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/fingerprint",schemaPath:"#/definitions/dataset/properties/fingerprint/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid9 = _errs56 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data24.schema_sha256 !== undefined){
let data26 = data24.schema_sha256;
const _errs58 = errors;
if((typeof data26 !== "string") && (data26 !== null)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/schema_sha256",schemaPath:"#/definitions/dataset/properties/schema_sha256/type",keyword:"type",params:{type: schema13.properties.schema_sha256.type},message:"must be string,null"}];
return false;
}
if(errors === _errs58){
if(typeof data26 === "string"){
if(!pattern0.test(data26)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/schema_sha256",schemaPath:"#/definitions/dataset/properties/schema_sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid9 = _errs58 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data24.source !== undefined){
let data27 = data24.source;
const _errs60 = errors;
if((typeof data27 !== "string") && (data27 !== null)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/source",schemaPath:"#/definitions/dataset/properties/source/type",keyword:"type",params:{type: schema13.properties.source.type},message:"must be string,null"}];
return false;
}
var valid9 = _errs60 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data24.sha256 !== undefined){
let data28 = data24.sha256;
const _errs62 = errors;
if((typeof data28 !== "string") && (data28 !== null)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/sha256",schemaPath:"#/definitions/dataset/properties/sha256/type",keyword:"type",params:{type: schema13.properties.sha256.type},message:"must be string,null"}];
return false;
}
if(errors === _errs62){
if(typeof data28 === "string"){
if(!pattern0.test(data28)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/sha256",schemaPath:"#/definitions/dataset/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
}
var valid9 = _errs62 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data24.cleaning !== undefined){
let data29 = data24.cleaning;
const _errs64 = errors;
const _errs65 = errors;
let valid10 = false;
const _errs66 = errors;
if(errors === _errs66){
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
let missing5;
if((((((data29.clean_columns === undefined) && (missing5 = "clean_columns")) || ((data29.clean_rows === undefined) && (missing5 = "clean_rows"))) || ((data29.dropped_columns === undefined) && (missing5 = "dropped_columns"))) || ((data29.input_columns === undefined) && (missing5 = "input_columns"))) || ((data29.input_rows === undefined) && (missing5 = "input_rows"))){
const err10 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
else {
if(data29.input_rows !== undefined){
let data30 = data29.input_rows;
const _errs68 = errors;
if(!(((typeof data30 == "number") && (!(data30 % 1) && !isNaN(data30))) && (isFinite(data30)))){
const err11 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/input_rows",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/input_rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(errors === _errs68){
if((typeof data30 == "number") && (isFinite(data30))){
if(data30 < 0 || isNaN(data30)){
const err12 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/input_rows",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/input_rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
var valid11 = _errs68 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data29.clean_rows !== undefined){
let data31 = data29.clean_rows;
const _errs70 = errors;
if(!(((typeof data31 == "number") && (!(data31 % 1) && !isNaN(data31))) && (isFinite(data31)))){
const err13 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/clean_rows",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/clean_rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(errors === _errs70){
if((typeof data31 == "number") && (isFinite(data31))){
if(data31 < 0 || isNaN(data31)){
const err14 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/clean_rows",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/clean_rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
var valid11 = _errs70 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data29.input_columns !== undefined){
let data32 = data29.input_columns;
const _errs72 = errors;
if(!(((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32))) && (isFinite(data32)))){
const err15 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/input_columns",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/input_columns/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(errors === _errs72){
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 < 0 || isNaN(data32)){
const err16 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/input_columns",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/input_columns/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
var valid11 = _errs72 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data29.clean_columns !== undefined){
let data33 = data29.clean_columns;
const _errs74 = errors;
if(!(((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33))) && (isFinite(data33)))){
const err17 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/clean_columns",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/clean_columns/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(errors === _errs74){
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 < 0 || isNaN(data33)){
const err18 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/clean_columns",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/clean_columns/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
var valid11 = _errs74 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data29.dropped_columns !== undefined){
let data34 = data29.dropped_columns;
const _errs76 = errors;
if(errors === _errs76){
if(Array.isArray(data34)){
var valid12 = true;
const len1 = data34.length;
for(let i1=0; i1<len1; i1++){
let data35 = data34[i1];
const _errs78 = errors;
if(errors === _errs78){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
let missing6;
if(((data35.name === undefined) && (missing6 = "name")) || ((data35.reason === undefined) && (missing6 = "reason"))){
const err19 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/dropped_columns/" + i1,schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/dropped_columns/items/required",keyword:"required",params:{missingProperty: missing6},message:"must have required property '"+missing6+"'"};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
else {
if(data35.name !== undefined){
const _errs80 = errors;
if(typeof data35.name !== "string"){
const err20 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/dropped_columns/" + i1+"/name",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/dropped_columns/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
var valid13 = _errs80 === errors;
}
else {
var valid13 = true;
}
if(valid13){
if(data35.reason !== undefined){
const _errs82 = errors;
if(typeof data35.reason !== "string"){
const err21 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/dropped_columns/" + i1+"/reason",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/dropped_columns/items/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var valid13 = _errs82 === errors;
}
else {
var valid13 = true;
}
}
}
}
else {
const err22 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/dropped_columns/" + i1,schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/dropped_columns/items/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
var valid12 = _errs78 === errors;
if(!valid12){
break;
}
}
}
else {
const err23 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning/dropped_columns",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/properties/dropped_columns/type",keyword:"type",params:{type: "array"},message:"must be array"};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
var valid11 = _errs76 === errors;
}
else {
var valid11 = true;
}
}
}
}
}
}
}
else {
const err24 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
var _valid1 = _errs66 === errors;
valid10 = valid10 || _valid1;
if(!valid10){
const _errs84 = errors;
if(data29 !== null){
const err25 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
var _valid1 = _errs84 === errors;
valid10 = valid10 || _valid1;
}
if(!valid10){
const err26 = {instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/cleaning",schemaPath:"#/definitions/dataset/properties/cleaning/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs65;
if(vErrors !== null){
if(_errs65){
vErrors.length = _errs65;
}
else {
vErrors = null;
}
}
}
var valid9 = _errs64 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data24.quality !== undefined){
let data38 = data24.quality;
const _errs86 = errors;
if(errors === _errs86){
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
if(data38.training_rows !== undefined){
let data39 = data38.training_rows;
const _errs88 = errors;
if(!(((typeof data39 == "number") && (!(data39 % 1) && !isNaN(data39))) && (isFinite(data39)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/training_rows",schemaPath:"#/definitions/dataset/properties/quality/properties/training_rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs88){
if((typeof data39 == "number") && (isFinite(data39))){
if(data39 < 0 || isNaN(data39)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/training_rows",schemaPath:"#/definitions/dataset/properties/quality/properties/training_rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid14 = _errs88 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.held_out_rows !== undefined){
let data40 = data38.held_out_rows;
const _errs90 = errors;
if(!(((typeof data40 == "number") && (!(data40 % 1) && !isNaN(data40))) && (isFinite(data40)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/held_out_rows",schemaPath:"#/definitions/dataset/properties/quality/properties/held_out_rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs90){
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 < 0 || isNaN(data40)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/held_out_rows",schemaPath:"#/definitions/dataset/properties/quality/properties/held_out_rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid14 = _errs90 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.synthetic_rows !== undefined){
let data41 = data38.synthetic_rows;
const _errs92 = errors;
if(!(((typeof data41 == "number") && (!(data41 % 1) && !isNaN(data41))) && (isFinite(data41)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/synthetic_rows",schemaPath:"#/definitions/dataset/properties/quality/properties/synthetic_rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs92){
if((typeof data41 == "number") && (isFinite(data41))){
if(data41 < 0 || isNaN(data41)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/synthetic_rows",schemaPath:"#/definitions/dataset/properties/quality/properties/synthetic_rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid14 = _errs92 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.column_shapes !== undefined){
let data42 = data38.column_shapes;
const _errs94 = errors;
if(errors === _errs94){
if(data42 && typeof data42 == "object" && !Array.isArray(data42)){
let missing7;
if((((data42.mean === undefined) && (missing7 = "mean")) || ((data42.reference === undefined) && (missing7 = "reference"))) || ((data42.worst === undefined) && (missing7 = "worst"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/required",keyword:"required",params:{missingProperty: missing7},message:"must have required property '"+missing7+"'"}];
return false;
}
else {
if(data42.mean !== undefined){
let data43 = data42.mean;
const _errs96 = errors;
if(!((typeof data43 == "number") && (isFinite(data43)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/mean",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/mean/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid15 = _errs96 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data42.reference !== undefined){
let data44 = data42.reference;
const _errs98 = errors;
if(!((typeof data44 == "number") && (isFinite(data44)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/reference",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/reference/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid15 = _errs98 === errors;
}
else {
var valid15 = true;
}
if(valid15){
if(data42.worst !== undefined){
let data45 = data42.worst;
const _errs100 = errors;
if(errors === _errs100){
if(Array.isArray(data45)){
var valid16 = true;
const len2 = data45.length;
for(let i2=0; i2<len2; i2++){
let data46 = data45[i2];
const _errs102 = errors;
if(errors === _errs102){
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
let missing8;
if((((data46.column === undefined) && (missing8 = "column")) || ((data46.reference === undefined) && (missing8 = "reference"))) || ((data46.score === undefined) && (missing8 = "score"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/worst/" + i2,schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/worst/items/required",keyword:"required",params:{missingProperty: missing8},message:"must have required property '"+missing8+"'"}];
return false;
}
else {
if(data46.column !== undefined){
const _errs104 = errors;
if(typeof data46.column !== "string"){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/worst/" + i2+"/column",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/worst/items/properties/column/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid17 = _errs104 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data46.score !== undefined){
let data48 = data46.score;
const _errs106 = errors;
if(!((typeof data48 == "number") && (isFinite(data48)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/worst/" + i2+"/score",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/worst/items/properties/score/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid17 = _errs106 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data46.reference !== undefined){
let data49 = data46.reference;
const _errs108 = errors;
if(!((typeof data49 == "number") && (isFinite(data49)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/worst/" + i2+"/reference",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/worst/items/properties/reference/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid17 = _errs108 === errors;
}
else {
var valid17 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/worst/" + i2,schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/worst/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid16 = _errs102 === errors;
if(!valid16){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes/worst",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/properties/worst/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid15 = _errs100 === errors;
}
else {
var valid15 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/column_shapes",schemaPath:"#/definitions/dataset/properties/quality/properties/column_shapes/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid14 = _errs94 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.pairs !== undefined){
let data50 = data38.pairs;
const _errs110 = errors;
if(errors === _errs110){
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
let missing9;
if((((data50.mean === undefined) && (missing9 = "mean")) || ((data50.measured === undefined) && (missing9 = "measured"))) || ((data50.reference === undefined) && (missing9 = "reference"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/pairs",schemaPath:"#/definitions/dataset/properties/quality/properties/pairs/required",keyword:"required",params:{missingProperty: missing9},message:"must have required property '"+missing9+"'"}];
return false;
}
else {
if(data50.mean !== undefined){
let data51 = data50.mean;
const _errs112 = errors;
if(!((typeof data51 == "number") && (isFinite(data51)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/pairs/mean",schemaPath:"#/definitions/dataset/properties/quality/properties/pairs/properties/mean/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid18 = _errs112 === errors;
}
else {
var valid18 = true;
}
if(valid18){
if(data50.reference !== undefined){
let data52 = data50.reference;
const _errs114 = errors;
if(!((typeof data52 == "number") && (isFinite(data52)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/pairs/reference",schemaPath:"#/definitions/dataset/properties/quality/properties/pairs/properties/reference/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid18 = _errs114 === errors;
}
else {
var valid18 = true;
}
if(valid18){
if(data50.measured !== undefined){
let data53 = data50.measured;
const _errs116 = errors;
if(!(((typeof data53 == "number") && (!(data53 % 1) && !isNaN(data53))) && (isFinite(data53)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/pairs/measured",schemaPath:"#/definitions/dataset/properties/quality/properties/pairs/properties/measured/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs116){
if((typeof data53 == "number") && (isFinite(data53))){
if(data53 < 0 || isNaN(data53)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/pairs/measured",schemaPath:"#/definitions/dataset/properties/quality/properties/pairs/properties/measured/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid18 = _errs116 === errors;
}
else {
var valid18 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/pairs",schemaPath:"#/definitions/dataset/properties/quality/properties/pairs/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid14 = _errs110 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.c2st !== undefined){
let data54 = data38.c2st;
const _errs118 = errors;
if(errors === _errs118){
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
let missing10;
if((((data54.auc === undefined) && (missing10 = "auc")) || ((data54.chance === undefined) && (missing10 = "chance"))) || ((data54.rows === undefined) && (missing10 = "rows"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/c2st",schemaPath:"#/definitions/dataset/properties/quality/properties/c2st/required",keyword:"required",params:{missingProperty: missing10},message:"must have required property '"+missing10+"'"}];
return false;
}
else {
if(data54.auc !== undefined){
let data55 = data54.auc;
const _errs120 = errors;
if(!((typeof data55 == "number") && (isFinite(data55)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/c2st/auc",schemaPath:"#/definitions/dataset/properties/quality/properties/c2st/properties/auc/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid19 = _errs120 === errors;
}
else {
var valid19 = true;
}
if(valid19){
if(data54.chance !== undefined){
let data56 = data54.chance;
const _errs122 = errors;
if(!((typeof data56 == "number") && (isFinite(data56)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/c2st/chance",schemaPath:"#/definitions/dataset/properties/quality/properties/c2st/properties/chance/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid19 = _errs122 === errors;
}
else {
var valid19 = true;
}
if(valid19){
if(data54.rows !== undefined){
let data57 = data54.rows;
const _errs124 = errors;
if(!(((typeof data57 == "number") && (!(data57 % 1) && !isNaN(data57))) && (isFinite(data57)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/c2st/rows",schemaPath:"#/definitions/dataset/properties/quality/properties/c2st/properties/rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs124){
if((typeof data57 == "number") && (isFinite(data57))){
if(data57 < 0 || isNaN(data57)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/c2st/rows",schemaPath:"#/definitions/dataset/properties/quality/properties/c2st/properties/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid19 = _errs124 === errors;
}
else {
var valid19 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/c2st",schemaPath:"#/definitions/dataset/properties/quality/properties/c2st/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid14 = _errs118 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.copies !== undefined){
let data58 = data38.copies;
const _errs126 = errors;
if(errors === _errs126){
if(data58 && typeof data58 == "object" && !Array.isArray(data58)){
let missing11;
if(((data58.reference === undefined) && (missing11 = "reference")) || ((data58.share === undefined) && (missing11 = "share"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/copies",schemaPath:"#/definitions/dataset/properties/quality/properties/copies/required",keyword:"required",params:{missingProperty: missing11},message:"must have required property '"+missing11+"'"}];
return false;
}
else {
if(data58.share !== undefined){
let data59 = data58.share;
const _errs128 = errors;
if(!((typeof data59 == "number") && (isFinite(data59)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/copies/share",schemaPath:"#/definitions/dataset/properties/quality/properties/copies/properties/share/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid20 = _errs128 === errors;
}
else {
var valid20 = true;
}
if(valid20){
if(data58.reference !== undefined){
let data60 = data58.reference;
const _errs130 = errors;
if(!((typeof data60 == "number") && (isFinite(data60)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/copies/reference",schemaPath:"#/definitions/dataset/properties/quality/properties/copies/properties/reference/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid20 = _errs130 === errors;
}
else {
var valid20 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/copies",schemaPath:"#/definitions/dataset/properties/quality/properties/copies/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid14 = _errs126 === errors;
}
else {
var valid14 = true;
}
if(valid14){
if(data38.dcr !== undefined){
let data61 = data38.dcr;
const _errs132 = errors;
if(errors === _errs132){
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
let missing12;
if(((((data61.chance === undefined) && (missing12 = "chance")) || ((data61.nearer_training === undefined) && (missing12 = "nearer_training"))) || ((data61.of_copies === undefined) && (missing12 = "of_copies"))) || ((data61.rows === undefined) && (missing12 = "rows"))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/required",keyword:"required",params:{missingProperty: missing12},message:"must have required property '"+missing12+"'"}];
return false;
}
else {
if(data61.nearer_training !== undefined){
let data62 = data61.nearer_training;
const _errs134 = errors;
if(!((typeof data62 == "number") && (isFinite(data62)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr/nearer_training",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/properties/nearer_training/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid21 = _errs134 === errors;
}
else {
var valid21 = true;
}
if(valid21){
if(data61.chance !== undefined){
let data63 = data61.chance;
const _errs136 = errors;
if(!((typeof data63 == "number") && (isFinite(data63)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr/chance",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/properties/chance/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid21 = _errs136 === errors;
}
else {
var valid21 = true;
}
if(valid21){
if(data61.of_copies !== undefined){
let data64 = data61.of_copies;
const _errs138 = errors;
if(!((typeof data64 == "number") && (isFinite(data64)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr/of_copies",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/properties/of_copies/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
var valid21 = _errs138 === errors;
}
else {
var valid21 = true;
}
if(valid21){
if(data61.rows !== undefined){
let data65 = data61.rows;
const _errs140 = errors;
if(!(((typeof data65 == "number") && (!(data65 % 1) && !isNaN(data65))) && (isFinite(data65)))){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr/rows",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/properties/rows/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs140){
if((typeof data65 == "number") && (isFinite(data65))){
if(data65 < 0 || isNaN(data65)){
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr/rows",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/properties/rows/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid21 = _errs140 === errors;
}
else {
var valid21 = true;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality/dcr",schemaPath:"#/definitions/dataset/properties/quality/properties/dcr/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid14 = _errs132 === errors;
}
else {
var valid14 = true;
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")+"/quality",schemaPath:"#/definitions/dataset/properties/quality/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid9 = _errs86 === errors;
}
else {
var valid9 = true;
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/dataset/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid7 = _errs53 === errors;
if(!valid7){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/datasets",schemaPath:"#/properties/datasets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs50 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scenarios !== undefined){
let data66 = data.scenarios;
const _errs142 = errors;
if(errors === _errs142){
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
for(const key1 in data66){
const _errs145 = errors;
if(!(validate11(data66[key1], {instancePath:instancePath+"/scenarios/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data66,parentDataProperty:key1,rootData}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
var valid22 = _errs145 === errors;
if(!valid22){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/scenarios",schemaPath:"#/properties/scenarios/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs142 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.comparisons !== undefined){
let data68 = data.comparisons;
const _errs146 = errors;
if(errors === _errs146){
if(data68 && typeof data68 == "object" && !Array.isArray(data68)){
for(const key2 in data68){
const _errs149 = errors;
if(!(validate13(data68[key2], {instancePath:instancePath+"/comparisons/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),parentData:data68,parentDataProperty:key2,rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
var valid23 = _errs149 === errors;
if(!valid23){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/comparisons",schemaPath:"#/properties/comparisons/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs146 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.diagnostics !== undefined){
let data70 = data.diagnostics;
const _errs150 = errors;
if(errors === _errs150){
if(Array.isArray(data70)){
var valid24 = true;
const len3 = data70.length;
for(let i3=0; i3<len3; i3++){
let data71 = data70[i3];
const _errs152 = errors;
const _errs153 = errors;
if(errors === _errs153){
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
let missing13;
if((((((data71.code === undefined) && (missing13 = "code")) || ((data71.detail === undefined) && (missing13 = "detail"))) || ((data71.severity === undefined) && (missing13 = "severity"))) || ((data71.suggestions === undefined) && (missing13 = "suggestions"))) || ((data71.summary === undefined) && (missing13 = "summary"))){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3,schemaPath:"#/definitions/diagnostic/required",keyword:"required",params:{missingProperty: missing13},message:"must have required property '"+missing13+"'"}];
return false;
}
else {
if(data71.severity !== undefined){
let data72 = data71.severity;
const _errs155 = errors;
if(typeof data72 !== "string"){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/severity",schemaPath:"#/definitions/diagnostic/properties/severity/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!(((data72 === "error") || (data72 === "warning")) || (data72 === "note"))){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/severity",schemaPath:"#/definitions/diagnostic/properties/severity/enum",keyword:"enum",params:{allowedValues: schema28.properties.severity.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid26 = _errs155 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data71.code !== undefined){
const _errs157 = errors;
if(typeof data71.code !== "string"){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/code",schemaPath:"#/definitions/diagnostic/properties/code/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid26 = _errs157 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data71.summary !== undefined){
const _errs159 = errors;
if(typeof data71.summary !== "string"){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/summary",schemaPath:"#/definitions/diagnostic/properties/summary/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid26 = _errs159 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data71.detail !== undefined){
const _errs161 = errors;
if(typeof data71.detail !== "string"){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/detail",schemaPath:"#/definitions/diagnostic/properties/detail/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid26 = _errs161 === errors;
}
else {
var valid26 = true;
}
if(valid26){
if(data71.suggestions !== undefined){
let data76 = data71.suggestions;
const _errs163 = errors;
if(errors === _errs163){
if(Array.isArray(data76)){
var valid27 = true;
const len4 = data76.length;
for(let i4=0; i4<len4; i4++){
const _errs165 = errors;
if(typeof data76[i4] !== "string"){
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/suggestions/" + i4,schemaPath:"#/definitions/diagnostic/properties/suggestions/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid27 = _errs165 === errors;
if(!valid27){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3+"/suggestions",schemaPath:"#/definitions/diagnostic/properties/suggestions/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid26 = _errs163 === errors;
}
else {
var valid26 = true;
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/diagnostics/" + i3,schemaPath:"#/definitions/diagnostic/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid24 = _errs152 === errors;
if(!valid24){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/diagnostics",schemaPath:"#/properties/diagnostics/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs150 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trace !== undefined){
let data78 = data.trace;
const _errs167 = errors;
if(errors === _errs167){
if(data78 && typeof data78 == "object" && !Array.isArray(data78)){
let missing14;
if(((data78.datasets === undefined) && (missing14 = "datasets")) || ((data78.scenarios === undefined) && (missing14 = "scenarios"))){
validate10.errors = [{instancePath:instancePath+"/trace",schemaPath:"#/properties/trace/required",keyword:"required",params:{missingProperty: missing14},message:"must have required property '"+missing14+"'"}];
return false;
}
else {
if(data78.datasets !== undefined){
let data79 = data78.datasets;
const _errs169 = errors;
if(errors === _errs169){
if(data79 && typeof data79 == "object" && !Array.isArray(data79)){
for(const key3 in data79){
let data80 = data79[key3];
const _errs172 = errors;
const _errs173 = errors;
if(errors === _errs173){
if(data80 && typeof data80 == "object" && !Array.isArray(data80)){
let missing15;
if((((((data80.dataset_id === undefined) && (missing15 = "dataset_id")) || ((data80.expires_at === undefined) && (missing15 = "expires_at"))) || ((data80.idempotency_key === undefined) && (missing15 = "idempotency_key"))) || ((data80.request_ids === undefined) && (missing15 = "request_ids"))) || ((data80.trained_at === undefined) && (missing15 = "trained_at"))){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/dataset_trace/required",keyword:"required",params:{missingProperty: missing15},message:"must have required property '"+missing15+"'"}];
return false;
}
else {
if(data80.dataset_id !== undefined){
let data81 = data80.dataset_id;
const _errs175 = errors;
if((typeof data81 !== "string") && (data81 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/dataset_id",schemaPath:"#/definitions/dataset_trace/properties/dataset_id/type",keyword:"type",params:{type: schema29.properties.dataset_id.type},message:"must be string,null"}];
return false;
}
var valid31 = _errs175 === errors;
}
else {
var valid31 = true;
}
if(valid31){
if(data80.trained_at !== undefined){
let data82 = data80.trained_at;
const _errs177 = errors;
if((typeof data82 !== "string") && (data82 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/trained_at",schemaPath:"#/definitions/dataset_trace/properties/trained_at/type",keyword:"type",params:{type: schema29.properties.trained_at.type},message:"must be string,null"}];
return false;
}
var valid31 = _errs177 === errors;
}
else {
var valid31 = true;
}
if(valid31){
if(data80.expires_at !== undefined){
let data83 = data80.expires_at;
const _errs179 = errors;
if((typeof data83 !== "string") && (data83 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/expires_at",schemaPath:"#/definitions/dataset_trace/properties/expires_at/type",keyword:"type",params:{type: schema29.properties.expires_at.type},message:"must be string,null"}];
return false;
}
var valid31 = _errs179 === errors;
}
else {
var valid31 = true;
}
if(valid31){
if(data80.idempotency_key !== undefined){
let data84 = data80.idempotency_key;
const _errs181 = errors;
if((typeof data84 !== "string") && (data84 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/idempotency_key",schemaPath:"#/definitions/dataset_trace/properties/idempotency_key/type",keyword:"type",params:{type: schema29.properties.idempotency_key.type},message:"must be string,null"}];
return false;
}
if(errors === _errs181){
if(typeof data84 === "string"){
if(!pattern6.test(data84)){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/idempotency_key",schemaPath:"#/definitions/dataset_trace/properties/idempotency_key/pattern",keyword:"pattern",params:{pattern: "^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"},message:"must match pattern \""+"^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"+"\""}];
return false;
}
}
}
var valid31 = _errs181 === errors;
}
else {
var valid31 = true;
}
if(valid31){
if(data80.request_ids !== undefined){
let data85 = data80.request_ids;
const _errs183 = errors;
if(errors === _errs183){
if(Array.isArray(data85)){
var valid32 = true;
const len5 = data85.length;
for(let i5=0; i5<len5; i5++){
const _errs185 = errors;
if(typeof data85[i5] !== "string"){
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/request_ids/" + i5,schemaPath:"#/definitions/dataset_trace/properties/request_ids/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid32 = _errs185 === errors;
if(!valid32){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1")+"/request_ids",schemaPath:"#/definitions/dataset_trace/properties/request_ids/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid31 = _errs183 === errors;
}
else {
var valid31 = true;
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace/datasets/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/dataset_trace/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid29 = _errs172 === errors;
if(!valid29){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace/datasets",schemaPath:"#/properties/trace/properties/datasets/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid28 = _errs169 === errors;
}
else {
var valid28 = true;
}
if(valid28){
if(data78.scenarios !== undefined){
let data87 = data78.scenarios;
const _errs187 = errors;
if(errors === _errs187){
if(data87 && typeof data87 == "object" && !Array.isArray(data87)){
for(const key4 in data87){
let data88 = data87[key4];
const _errs190 = errors;
const _errs191 = errors;
if(errors === _errs191){
if(data88 && typeof data88 == "object" && !Array.isArray(data88)){
let missing16;
if(((((((((((data88.attempts === undefined) && (missing16 = "attempts")) || ((data88.completed_at === undefined) && (missing16 = "completed_at"))) || ((data88.dataset_id === undefined) && (missing16 = "dataset_id"))) || ((data88.download_before === undefined) && (missing16 = "download_before"))) || ((data88.epoch === undefined) && (missing16 = "epoch"))) || ((data88.generation_id === undefined) && (missing16 = "generation_id"))) || ((data88.idempotency_key === undefined) && (missing16 = "idempotency_key"))) || ((data88.job_id === undefined) && (missing16 = "job_id"))) || ((data88.request_ids === undefined) && (missing16 = "request_ids"))) || ((data88.submitted_at === undefined) && (missing16 = "submitted_at"))){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/scenario_trace/required",keyword:"required",params:{missingProperty: missing16},message:"must have required property '"+missing16+"'"}];
return false;
}
else {
if(data88.generation_id !== undefined){
let data89 = data88.generation_id;
const _errs193 = errors;
if((typeof data89 !== "string") && (data89 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/generation_id",schemaPath:"#/definitions/scenario_trace/properties/generation_id/type",keyword:"type",params:{type: schema30.properties.generation_id.type},message:"must be string,null"}];
return false;
}
var valid35 = _errs193 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.job_id !== undefined){
let data90 = data88.job_id;
const _errs195 = errors;
if((typeof data90 !== "string") && (data90 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/job_id",schemaPath:"#/definitions/scenario_trace/properties/job_id/type",keyword:"type",params:{type: schema30.properties.job_id.type},message:"must be string,null"}];
return false;
}
var valid35 = _errs195 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.dataset_id !== undefined){
let data91 = data88.dataset_id;
const _errs197 = errors;
if((typeof data91 !== "string") && (data91 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/dataset_id",schemaPath:"#/definitions/scenario_trace/properties/dataset_id/type",keyword:"type",params:{type: schema30.properties.dataset_id.type},message:"must be string,null"}];
return false;
}
var valid35 = _errs197 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.idempotency_key !== undefined){
let data92 = data88.idempotency_key;
const _errs199 = errors;
if((typeof data92 !== "string") && (data92 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/idempotency_key",schemaPath:"#/definitions/scenario_trace/properties/idempotency_key/type",keyword:"type",params:{type: schema30.properties.idempotency_key.type},message:"must be string,null"}];
return false;
}
if(errors === _errs199){
if(typeof data92 === "string"){
if(!pattern6.test(data92)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/idempotency_key",schemaPath:"#/definitions/scenario_trace/properties/idempotency_key/pattern",keyword:"pattern",params:{pattern: "^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"},message:"must match pattern \""+"^wi1\\.(ds|gen)\\.[0-9a-f]{32}\\.[ex][A-Za-z0-9._-]*$"+"\""}];
return false;
}
}
}
var valid35 = _errs199 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.epoch !== undefined){
let data93 = data88.epoch;
const _errs201 = errors;
if((!(((typeof data93 == "number") && (!(data93 % 1) && !isNaN(data93))) && (isFinite(data93)))) && (data93 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/epoch",schemaPath:"#/definitions/scenario_trace/properties/epoch/type",keyword:"type",params:{type: schema30.properties.epoch.type},message:"must be integer,null"}];
return false;
}
if(errors === _errs201){
if((typeof data93 == "number") && (isFinite(data93))){
if(data93 < 0 || isNaN(data93)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/epoch",schemaPath:"#/definitions/scenario_trace/properties/epoch/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid35 = _errs201 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.attempts !== undefined){
let data94 = data88.attempts;
const _errs203 = errors;
if(!(((typeof data94 == "number") && (!(data94 % 1) && !isNaN(data94))) && (isFinite(data94)))){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/attempts",schemaPath:"#/definitions/scenario_trace/properties/attempts/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs203){
if((typeof data94 == "number") && (isFinite(data94))){
if(data94 < 0 || isNaN(data94)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/attempts",schemaPath:"#/definitions/scenario_trace/properties/attempts/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid35 = _errs203 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.request_ids !== undefined){
let data95 = data88.request_ids;
const _errs205 = errors;
if(errors === _errs205){
if(Array.isArray(data95)){
var valid36 = true;
const len6 = data95.length;
for(let i6=0; i6<len6; i6++){
const _errs207 = errors;
if(typeof data95[i6] !== "string"){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/request_ids/" + i6,schemaPath:"#/definitions/scenario_trace/properties/request_ids/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid36 = _errs207 === errors;
if(!valid36){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/request_ids",schemaPath:"#/definitions/scenario_trace/properties/request_ids/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid35 = _errs205 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.submitted_at !== undefined){
let data97 = data88.submitted_at;
const _errs209 = errors;
if((typeof data97 !== "string") && (data97 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/submitted_at",schemaPath:"#/definitions/scenario_trace/properties/submitted_at/type",keyword:"type",params:{type: schema30.properties.submitted_at.type},message:"must be string,null"}];
return false;
}
var valid35 = _errs209 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.completed_at !== undefined){
let data98 = data88.completed_at;
const _errs211 = errors;
if((typeof data98 !== "string") && (data98 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/completed_at",schemaPath:"#/definitions/scenario_trace/properties/completed_at/type",keyword:"type",params:{type: schema30.properties.completed_at.type},message:"must be string,null"}];
return false;
}
var valid35 = _errs211 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data88.download_before !== undefined){
let data99 = data88.download_before;
const _errs213 = errors;
if((typeof data99 !== "string") && (data99 !== null)){
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1")+"/download_before",schemaPath:"#/definitions/scenario_trace/properties/download_before/type",keyword:"type",params:{type: schema30.properties.download_before.type},message:"must be string,null"}];
return false;
}
var valid35 = _errs213 === errors;
}
else {
var valid35 = true;
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace/scenarios/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/definitions/scenario_trace/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid33 = _errs190 === errors;
if(!valid33){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace/scenarios",schemaPath:"#/properties/trace/properties/scenarios/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid28 = _errs187 === errors;
}
else {
var valid28 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trace",schemaPath:"#/properties/trace/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs167 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.run !== undefined){
let data100 = data.run;
const _errs215 = errors;
if(errors === _errs215){
if(data100 && typeof data100 == "object" && !Array.isArray(data100)){
let missing17;
if((((((((((((data100.actions === undefined) && (missing17 = "actions")) || ((data100.ci === undefined) && (missing17 = "ci"))) || ((data100.finished_at === undefined) && (missing17 = "finished_at"))) || ((data100.git === undefined) && (missing17 = "git"))) || ((data100.id === undefined) && (missing17 = "id"))) || ((data100.node === undefined) && (missing17 = "node"))) || ((data100.rows_billable === undefined) && (missing17 = "rows_billable"))) || ((data100.scope === undefined) && (missing17 = "scope"))) || ((data100.service === undefined) && (missing17 = "service"))) || ((data100.started_at === undefined) && (missing17 = "started_at"))) || ((data100.tool === undefined) && (missing17 = "tool"))){
validate10.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/required",keyword:"required",params:{missingProperty: missing17},message:"must have required property '"+missing17+"'"}];
return false;
}
else {
if(data100.id !== undefined){
const _errs217 = errors;
if(typeof data100.id !== "string"){
validate10.errors = [{instancePath:instancePath+"/run/id",schemaPath:"#/properties/run/properties/id/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid37 = _errs217 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.actions !== undefined){
let data102 = data100.actions;
const _errs219 = errors;
if(errors === _errs219){
if(data102 && typeof data102 == "object" && !Array.isArray(data102)){
for(const key5 in data102){
const _errs222 = errors;
if(typeof data102[key5] !== "string"){
validate10.errors = [{instancePath:instancePath+"/run/actions/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/run/properties/actions/additionalProperties/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid38 = _errs222 === errors;
if(!valid38){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/run/actions",schemaPath:"#/properties/run/properties/actions/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid37 = _errs219 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.rows_billable !== undefined){
let data104 = data100.rows_billable;
const _errs224 = errors;
if(!(((typeof data104 == "number") && (!(data104 % 1) && !isNaN(data104))) && (isFinite(data104)))){
validate10.errors = [{instancePath:instancePath+"/run/rows_billable",schemaPath:"#/properties/run/properties/rows_billable/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs224){
if((typeof data104 == "number") && (isFinite(data104))){
if(data104 < 0 || isNaN(data104)){
validate10.errors = [{instancePath:instancePath+"/run/rows_billable",schemaPath:"#/properties/run/properties/rows_billable/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid37 = _errs224 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.started_at !== undefined){
const _errs226 = errors;
if(errors === _errs226){
if(errors === _errs226){
if(!(typeof data100.started_at === "string")){
validate10.errors = [{instancePath:instancePath+"/run/started_at",schemaPath:"#/properties/run/properties/started_at/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid37 = _errs226 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.finished_at !== undefined){
let data106 = data100.finished_at;
const _errs228 = errors;
if((typeof data106 !== "string") && (data106 !== null)){
validate10.errors = [{instancePath:instancePath+"/run/finished_at",schemaPath:"#/properties/run/properties/finished_at/type",keyword:"type",params:{type: schema11.properties.run.properties.finished_at.type},message:"must be string,null"}];
return false;
}
var valid37 = _errs228 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.tool !== undefined){
const _errs230 = errors;
if(typeof data100.tool !== "string"){
validate10.errors = [{instancePath:instancePath+"/run/tool",schemaPath:"#/properties/run/properties/tool/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid37 = _errs230 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.node !== undefined){
const _errs232 = errors;
if(typeof data100.node !== "string"){
validate10.errors = [{instancePath:instancePath+"/run/node",schemaPath:"#/properties/run/properties/node/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid37 = _errs232 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.scope !== undefined){
let data109 = data100.scope;
const _errs234 = errors;
if((typeof data109 !== "string") && (data109 !== null)){
validate10.errors = [{instancePath:instancePath+"/run/scope",schemaPath:"#/properties/run/properties/scope/type",keyword:"type",params:{type: schema11.properties.run.properties.scope.type},message:"must be string,null"}];
return false;
}
var valid37 = _errs234 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.service !== undefined){
let data110 = data100.service;
const _errs236 = errors;
if(typeof data110 !== "string"){
validate10.errors = [{instancePath:instancePath+"/run/service",schemaPath:"#/properties/run/properties/service/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if(!((data110 === "embedded") || (data110 === "remote"))){
validate10.errors = [{instancePath:instancePath+"/run/service",schemaPath:"#/properties/run/properties/service/enum",keyword:"enum",params:{allowedValues: schema11.properties.run.properties.service.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid37 = _errs236 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.git !== undefined){
let data111 = data100.git;
const _errs238 = errors;
const _errs239 = errors;
let valid39 = false;
const _errs240 = errors;
if(errors === _errs240){
if(data111 && typeof data111 == "object" && !Array.isArray(data111)){
let missing18;
if(((data111.commit === undefined) && (missing18 = "commit")) || ((data111.dirty === undefined) && (missing18 = "dirty"))){
const err27 = {instancePath:instancePath+"/run/git",schemaPath:"#/properties/run/properties/git/anyOf/0/required",keyword:"required",params:{missingProperty: missing18},message:"must have required property '"+missing18+"'"};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
else {
if(data111.commit !== undefined){
const _errs242 = errors;
if(typeof data111.commit !== "string"){
const err28 = {instancePath:instancePath+"/run/git/commit",schemaPath:"#/properties/run/properties/git/anyOf/0/properties/commit/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
var valid40 = _errs242 === errors;
}
else {
var valid40 = true;
}
if(valid40){
if(data111.dirty !== undefined){
const _errs244 = errors;
if(typeof data111.dirty !== "boolean"){
const err29 = {instancePath:instancePath+"/run/git/dirty",schemaPath:"#/properties/run/properties/git/anyOf/0/properties/dirty/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
var valid40 = _errs244 === errors;
}
else {
var valid40 = true;
}
}
}
}
else {
const err30 = {instancePath:instancePath+"/run/git",schemaPath:"#/properties/run/properties/git/anyOf/0/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
var _valid2 = _errs240 === errors;
valid39 = valid39 || _valid2;
if(!valid39){
const _errs246 = errors;
if(data111 !== null){
const err31 = {instancePath:instancePath+"/run/git",schemaPath:"#/properties/run/properties/git/anyOf/1/type",keyword:"type",params:{type: "null"},message:"must be null"};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
var _valid2 = _errs246 === errors;
valid39 = valid39 || _valid2;
}
if(!valid39){
const err32 = {instancePath:instancePath+"/run/git",schemaPath:"#/properties/run/properties/git/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs239;
if(vErrors !== null){
if(_errs239){
vErrors.length = _errs239;
}
else {
vErrors = null;
}
}
}
var valid37 = _errs238 === errors;
}
else {
var valid37 = true;
}
if(valid37){
if(data100.ci !== undefined){
let data114 = data100.ci;
const _errs248 = errors;
if((typeof data114 !== "string") && (data114 !== null)){
validate10.errors = [{instancePath:instancePath+"/run/ci",schemaPath:"#/properties/run/properties/ci/type",keyword:"type",params:{type: schema11.properties.run.properties.ci.type},message:"must be string,null"}];
return false;
}
var valid37 = _errs248 === errors;
}
else {
var valid37 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/run",schemaPath:"#/properties/run/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs215 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}
